package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/dirhash"
)

func TestInput(t *testing.T) {
	const entry = "# Changelog\n\n## v0.1.0 (not yet released)\n"
	for name, test := range map[string]struct {
		files   map[string]string
		git     []string
		dirty   bool
		version string
		want    string
	}{
		"uncommitted": {files: map[string]string{"root.go": "package root\n"}, dirty: true, want: "uncommitted changes: a release has what HEAD has\n M root.go"},
		"short":       {version: "v0.1", want: `version "v0.1" is not one like v1.2.3`},
		"no v":        {version: "0.1.0", want: `version "0.1.0" is not one like v1.2.3`},
		"major":       {version: "v2.0.0", want: "version v2.0.0 needs modules whose paths end in /v2"},
		"no entry":    {version: "v0.2.0", want: "CHANGELOG.md: no entry for v0.2.0: write ## v0.2.0 (not yet released)"},
		"unversioned": {files: map[string]string{changelog: "## Unreleased\n"}, want: "CHANGELOG.md: the first entry has no version: write ## v1.2.3 (not yet released)"},
		"empty":       {files: map[string]string{changelog: entry + "\n## v0.0.9 (2026-01-02)\n\nText.\n"}, want: "CHANGELOG.md:3: the entry of v0.1.0 is empty"},
		"undated":     {files: map[string]string{changelog: "## v0.1.0\n\nText.\n"}, want: "CHANGELOG.md:1: the entry has no date: write ## v0.1.0 (not yet released)"},
		"tagged":      {git: []string{"tag", "v0.1.0", "HEAD~"}, version: "v0.1.0", want: "tag v0.1.0 exists, at commit "},
		"tagged part": {git: []string{"tag", "-a", "-m", "x", "agent/v0.1.0", "HEAD~"}, want: "tag agent/v0.1.0 exists, at commit "},
		"too late":    {git: []string{"tag", "v0.1.1"}, want: "version v0.1.0 comes before v0.1.1, which is tagged"},
		"unpublished": {
			files: map[string]string{"runtime/go.mod": "module " + rootModule + "/runtime\n\nrequire " + rootModule + "/examples v0.0.0\n"},
			want:  "runtime/go.mod:3: requires " + rootModule + "/examples, which is not published",
		},
		"circle": {
			files: map[string]string{"runtime/go.mod": "module " + rootModule + "/runtime\n\nrequire " + rootModule + "/agent v0.0.0\n"},
			want:  "no order of tags: these modules require each other: agent/go.mod, runtime/go.mod",
		},
		"unprepared": {git: []string{"tag", "v0.1.0"}, want: "tag v0.1.0 is on a commit that hack/release.sh did not make:\n" +
			"agent/go.mod: requires modules of this repository at other versions than v0.1.0\n" +
			"examples/go.mod: requires modules of this repository at other versions than v0.1.0\n" +
			"CHANGELOG.md: the entry of v0.1.0 is not yet released"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScratch(t)
			s.must("commit", "--quiet", "--allow-empty", "-m", "second")
			if test.dirty {
				s.write(test.files)
			} else if test.files != nil {
				s.commit(test.files)
			}
			if test.git != nil {
				s.must(test.git...)
			}
			_, err := s.run(options{version: test.version})
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestNothingToRelease(t *testing.T) {
	s := newScratch(t)
	s.must("tag", "v0.1.0")
	s.must("commit", "--quiet", "--allow-empty", "-m", "second")
	out, err := s.run(options{dryRun: true})
	require.NoError(t, err)
	assert.Equal(t, "nothing to release: v0.1.0 is tagged, and is the first entry in CHANGELOG.md\n", out)
}

// TestRelease makes the commit of a release, then its tags, and checks what users get from these.
func TestRelease(t *testing.T) {
	s := newScratch(t)
	first := s.release("v0.1.0")
	require.NoError(t, first.commit(t.Context()))
	require.NoError(t, first.publish(t.Context()))
	assert.Contains(t, said(first), "merge the new commit into main")
	assert.Empty(t, s.must("tag"), "the commit may get another hash when it is merged")
	assert.Equal(t, "release: v0.1.0", s.must("log", "-1", "--format=%s"))
	assert.Regexp(t, `## v0\.1\.0 \(20\d\d-\d\d-\d\d\)\n\nThe first\.\n$`, s.read(changelog))
	assert.Contains(t, s.read("examples/go.mod"), "\t"+rootModule+"/agent v0.1.0\n\t"+rootModule+"/runtime v0.1.0 // indirect\n)")
	assert.Contains(t, s.read("examples/go.mod"), "=> ../agent")

	r := s.release("v0.1.0")
	require.NoError(t, r.commit(t.Context()))
	require.NoError(t, r.compareAPI(t.Context()))
	assert.Contains(t, said(r), "there is no tag to compare with")
	require.NoError(t, r.download(t.Context()))
	require.NoError(t, r.proveModules(t.Context()))
	require.NoError(t, r.publish(t.Context()))
	assert.Contains(t, said(r), "git push origin v0.1.0")
	assert.Equal(t, []string{"agent/v0.1.0", "runtime/v0.1.0", "v0.1.0"}, strings.Fields(s.must("tag", "--points-at", "HEAD")))

	require.NoError(t, r.write(filepath.Join(r.work, "out")))
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(r.work, "out", name))
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, "v0.1.0\nruntime/v0.1.0\nagent/v0.1.0\n", read("tags.txt"), "modules come after those that they require")
	assert.Equal(t, "The first.\n", read("notes.md"))
	for _, m := range r.modules {
		sum, err := dirhash.HashZip(m.zip, dirhash.Hash1)
		require.NoError(t, err)
		assert.Contains(t, read("checksums.txt"), m.path+" v0.1.0 "+sum+"\n"+m.path+" v0.1.0/go.mod h1:")
	}
}

// said returns what a release has printed.
func said(r *release) string { return r.out.(fmt.Stringer).String() }

// TestTagInWorkflow makes the remaining tags where HEAD already has the first one.
func TestTagInWorkflow(t *testing.T) {
	s := newScratch(t)
	prepared := s.release("v0.1.0")
	require.NoError(t, prepared.commit(t.Context()))
	require.NoError(t, prepared.publish(t.Context()))
	s.must("tag", "--annotate", "--message=x", "v0.1.0")
	r := s.release("")
	require.NoError(t, r.commit(t.Context()))
	require.NoError(t, r.publish(t.Context()))
	assert.Len(t, strings.Fields(s.must("tag", "--points-at", "HEAD")), 3)
}

func TestNotes(t *testing.T) {
	const text = "## v0.2.0 (2026-01-02)\n\nSee [a](docs/a.md#b), [c](https://example.com/c) and `x`.\n\n## v0.1.0 (2026-01-01)\n\nOld.\n"
	notes, err := notesOf(text, "v0.2.0")
	require.NoError(t, err)
	assert.Equal(t, "See [a](https://"+rootModule+"/blob/v0.2.0/docs/a.md#b), [c](https://example.com/c) and `x`.\n", notes)
}

func TestZip(t *testing.T) {
	s := newScratch(t)
	s.must("rm", "--quiet", "LICENSE")
	s.commit(map[string]string{"runtime/video.mp4": strings.Repeat("x", maxFile+1)})
	r := s.release("v0.1.0")
	require.NoError(t, r.commit(t.Context()))
	err := r.download(t.Context())
	require.ErrorContains(t, err, rootModule+" has no LICENSE")
	require.ErrorContains(t, err, rootModule+"/runtime@v0.1.0/video.mp4 has 262145 bytes, more than 262144")
}
