package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// twoAPIs creates a module with the kinds Robot and Arm in package a/v1 and Pod in package b/v1, and generates for both.
func twoAPIs(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "apis", "a", "v1", "robot.go"), "// +groupName=a.example.com\n"+oneKind)
	writeFile(t, filepath.Join(dir, "apis", "a", "v1", "arm.go"), strings.ReplaceAll(oneKind, "Robot", "Arm"))
	writeFile(t, filepath.Join(dir, "apis", "b", "v1", "types.go"), "// +groupName=b.example.com\n"+strings.ReplaceAll(oneKind, "Robot", "Pod"))
	code, _, stderr := execute(t, dir, "./apis/...")
	require.Equal(t, exitDone, code, stderr)
	return dir
}

func TestRunForOnePackageKeepsOthers(t *testing.T) {
	dir := twoAPIs(t)
	before := filesBelow(t, dir)
	for _, args := range [][]string{{"generate"}, {"verify"}, {"generate", "--only", "clientset"}, {"generate", "--adopt", "--force"}} {
		code, _, stderr := execute(t, dir, append(args, "./apis/b/...")...)
		assert.Equal(t, exitProblem, code, args)
		assert.Equal(t, "apis/a/v1/arm.go:5:6: the files of Arm, Robot would be removed, because their package is not part of this run\n"+
			"\tadd package m/apis/a/v1 to this run, or remove its files with --prune\n", stderr)
		assert.Equal(t, before, filesBelow(t, dir))
	}

	code, stdout, _ := execute(t, dir, "verify", "--prune", "./apis/b/...")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "stale    pkg/generated/clientset/versioned/typed/a/v1/robot.go\n")
	code, stdout, stderr := execute(t, dir, "--prune", "./apis/b/...")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, stdout, " 0 removed")
	assert.NoDirExists(t, filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "a"))
	assert.FileExists(t, filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "b", "v1", "pod.go"))
}

// TestRemovalsWithoutPrune covers removals that users intend.
func TestRemovalsWithoutPrune(t *testing.T) {
	removesRobot := func(t *testing.T, dir string, args ...string) {
		t.Helper()
		code, _, stderr := execute(t, dir, args...)
		require.Equal(t, exitDone, code, stderr)
		assert.NoFileExists(t, filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "a", "v1", "robot.go"))
		code, stdout, _ := execute(t, dir, append([]string{"verify"}, args...)...)
		assert.Equal(t, exitDone, code, stdout)
	}
	t.Run("the type is gone", func(t *testing.T) {
		dir := twoAPIs(t)
		require.NoError(t, os.Remove(filepath.Join(dir, "apis", "a", "v1", "robot.go")))
		writeFile(t, filepath.Join(dir, "apis", "a", "v1", "doc.go"), "// +groupName=a.example.com\npackage v1\n")
		removesRobot(t, dir, "./apis/...")
	})
	t.Run("the type has another name", func(t *testing.T) {
		dir := twoAPIs(t)
		writeFile(t, filepath.Join(dir, "apis", "a", "v1", "robot.go"), "// +groupName=a.example.com\n"+strings.ReplaceAll(oneKind, "Robot", "Machine"))
		removesRobot(t, dir, "./apis/...")
	})
	t.Run("the package is gone", func(t *testing.T) {
		dir := twoAPIs(t)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "apis", "a")))
		removesRobot(t, dir, "./apis/b/...")
	})
	t.Run("the package has another directory", func(t *testing.T) {
		dir := twoAPIs(t)
		require.NoError(t, os.Rename(filepath.Join(dir, "apis", "a", "v1"), filepath.Join(dir, "apis", "a", "v2")))
		removesRobot(t, dir, "./apis/...")
	})
	t.Run("the package has lost its markers", func(t *testing.T) {
		dir := twoAPIs(t)
		for _, name := range []string{"robot.go", "arm.go"} {
			file := filepath.Join(dir, "apis", "a", "v1", name)
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			writeFile(t, file, strings.ReplaceAll(string(content), "+genclient", "genclient"))
		}
		removesRobot(t, dir, "./apis/b/...")
	})
	t.Run("the type refers to kinds of which there never were files", func(t *testing.T) {
		dir := twoAPIs(t)
		writeFile(t, filepath.Join(dir, "shared", "v1", "types.go"), "// +groupName=shared.example.com\n"+oneKind)
		robot := filepath.Join(dir, "apis", "a", "v1", "robot.go")
		content, err := os.ReadFile(robot)
		require.NoError(t, err)
		const method = "// +genclient:method=Tune,verb=update,subresource=tune,input=m/shared/v1.Robot,result=m/shared/v1.Robot\n"
		writeFile(t, robot, strings.ReplaceAll(string(content), "type Robot", method+"type Robot"))
		code, _, stderr := execute(t, dir, "./apis/...")
		require.Equal(t, exitDone, code, stderr)
		client, err := os.ReadFile(filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "a", "v1", "robot.go"))
		require.NoError(t, err)
		require.Contains(t, string(client), `"m/shared/v1"`)
		require.NoError(t, os.Remove(robot))
		writeFile(t, filepath.Join(dir, "apis", "a", "v1", "doc.go"), "// +groupName=a.example.com\npackage v1\n")
		removesRobot(t, dir, "./apis/...")
	})
	t.Run("a configuration file names the packages", func(t *testing.T) {
		dir := twoAPIs(t)
		writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "packages: [./apis/b/...]\n")
		removesRobot(t, dir)
	})
}

func TestPackagesAsArgumentsNextToConfiguration(t *testing.T) {
	dir := twoAPIs(t)
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "packages: [./apis/...]\n")
	code, _, stderr := execute(t, dir, "./apis/b/...")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "the files of Arm, Robot would be removed")
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "prune: true\n")
	code, _, stderr = execute(t, dir)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "unknown key prune")
}

// TestUnnamedPackageWithMistakes covers an existing package with kinds that currently has mistakes.
func TestUnnamedPackageWithMistakes(t *testing.T) {
	dir := twoAPIs(t)
	writeFile(t, filepath.Join(dir, "apis", "a", "v1", "leg.go"), "package v1\n\n// +genclient:nonsense\ntype Leg struct{ X chan int }\n\nfunc\n")
	code, _, stderr := execute(t, dir, "./apis/b/...")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "the files of Arm, Robot would be removed")
}

// TestUnnamedGroupsInOneFolder covers folders whose names depend on the packages of a run.
func TestUnnamedGroupsInOneFolder(t *testing.T) {
	for name, packages := range map[string]string{"together": "./...", "alone": "./x/..."} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
			writeFile(t, filepath.Join(dir, "x", "fleet", "v1", "types.go"), "// +groupName=x.example.com\n"+oneKind)
			writeFile(t, filepath.Join(dir, "y", "fleet", "v1", "types.go"), "// +groupName=y.example.com\n"+strings.ReplaceAll(oneKind, "Robot", "Arm"))
			code, _, stderr := execute(t, dir, packages)
			require.Equal(t, exitDone, code, stderr)
			code, _, stderr = execute(t, dir, "./y/...")
			assert.Equal(t, exitProblem, code)
			assert.Equal(t, "x/fleet/v1/types.go:6:6: the files of Robot would be removed, because their package is not part of this run\n"+
				"\tadd package example.com/m/x/fleet/v1 to this run, or remove its files with --prune\n", stderr)
		})
	}
}
