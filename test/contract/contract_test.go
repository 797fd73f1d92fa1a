package contract

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/extended"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/server"
)

// definitionsDir has the CustomResourceDefinitions of the examples.
const definitionsDir = "../../examples/config/crd"

var rewrite = flag.Bool("update", false, "write the answers of the server to testdata")

func TestMain(m *testing.M) {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run()) //nolint:forbidigo // TestMain is the main function of a test
}

// TestServer compares the answers of an API server with testdata.
func TestServer(t *testing.T) {
	answers := ask(t, false)
	maps.Copy(answers, ask(t, true))
	if *rewrite {
		require.NoError(t, WriteTruth(testdataDir, answers))
		return
	}
	truth, err := Truth()
	require.NoError(t, err)
	for _, probe := range All() {
		t.Run(probe.Name, func(t *testing.T) { assert.Equal(t, truth[probe.Name], answers[probe.Name]) })
	}
	assert.Len(t, truth, len(All()), "testdata has answers to other questions: go test -run TestServer -update")
}

// ask returns the answers of a server with or without the feature gate ShardedListAndWatch.
func ask(t *testing.T, sharded bool) map[string]string {
	t.Helper()
	s, err := server.Start(t.Context(), t.TempDir(), definitionsDir, map[string]bool{"ShardedListAndWatch": sharded})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Stop()) }()
	probes := slices.DeleteFunc(All(), func(p Probe) bool { return p.Sharded != sharded })
	answers, err := RunAll(t.Context(), probes, func(bool) (versioned.Interface, error) { return s.Client, nil })
	require.NoError(t, err)
	return answers
}

// TestFakes compares the fakes with a server. Strict fakes may only differ for a documented reason.
func TestFakes(t *testing.T) {
	truth, err := Truth()
	require.NoError(t, err)
	definitions, err := apiservertest.ReadCRDs(definitionsDir)
	require.NoError(t, err)
	require.NoError(t, extended.Definitions(definitions...))
	for _, fake := range Fakes(definitions) {
		t.Run(fake.Name, func(t *testing.T) {
			answers, err := RunAll(t.Context(), All(), fake.New)
			require.NoError(t, err)
			for group, score := range Scores(truth, answers) {
				t.Logf("%s: %d of %d", group, score.Agree, score.Probes)
			}
			if fake.Differences == nil {
				return
			}
			differ, agree := fake.Unexpected(truth, answers)
			for _, name := range differ {
				t.Errorf("%s differs: give a reason in differences\n%s", name, diff(truth[name], answers[name]))
			}
			assert.Empty(t, agree, "these agree: take them out of differences")
		})
	}
}

// TestNames checks that names are unique and have a group.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, probe := range All() {
		assert.Regexp(t, `^[a-z]+/[a-z0-9-]+$`, probe.Name)
		assert.False(t, seen[probe.Name], "duplicate name %s", probe.Name)
		seen[probe.Name] = true
	}
}

// TestParseAnswers reads files of testdata.
func TestParseAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		content, problem string
		want             map[string]string
	}{
		"sections":  {content: "-- a/b --\nx\ny\n-- a/c --\nz\n", want: map[string]string{"a/b": "x\ny\n", "a/c": "z\n"}},
		"duplicate": {content: "-- a/b --\nx\n-- a/b --\ny\n", problem: `duplicate section "a/b"`},
		"no name":   {content: "x\n", problem: "text before the first section"},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]string{}
			err := parseAnswers(test.content, got)
			if test.problem != "" {
				assert.EqualError(t, err, test.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

// diff returns the lines in only one of two answers.
func diff(server, fake string) string {
	text := &strings.Builder{}
	only := func(mark, of, other string) {
		for line := range strings.Lines(of) {
			if !slices.Contains(strings.SplitAfter(other, "\n"), line) {
				text.WriteString(mark + line)
			}
		}
	}
	only("  server: ", server, fake)
	only("  fake:   ", fake, server)
	return text.String()
}
