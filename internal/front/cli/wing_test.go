package cli

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/wings"
)

// complete is what the program is built of.
var complete = run.House{Products: generators.All, Wings: wings.All}

// counting is a wing that writes how many kinds there are, and has a command that says so.
var counting = run.Wing{
	Commands: func() []run.Command {
		return []run.Command{{Use: "count", Short: "Count kinds", Generates: true, Run: func(ctx context.Context, call *run.Call) error {
			all, err := call.Config.Options()
			for _, opts := range all {
				api, problem := call.Resolve(ctx, opts)
				fmt.Fprintln(call.Stdout, len(api.Resolved.API.Kinds()), problem)
			}
			return err
		}}}
	},
	Begin: func(_ context.Context, api *run.API) run.Work { return counter{api} },
}

type counter struct{ api *run.API }

func (c counter) Resolved(context.Context) diag.List { return nil }

func (c counter) Files(context.Context) ([]render.File, diag.List, error) {
	return []render.File{{Path: "listers/kinds.txt", Content: fmt.Appendln(nil, len(c.api.Resolved.API.Kinds()))}}, nil, nil
}

// TestWing runs the commands with one wing more.
func TestWing(t *testing.T) {
	dir := fleetModule(t, "Robot", "Arm")
	execute := func(args ...string) (code int, stdout string) {
		var out, problems bytes.Buffer
		code = app{dir: dir, stdout: &out, stderr: &problems, house: run.House{Wings: []run.Wing{counting}}}.run(t.Context(), args)
		return code, out.String() + problems.String()
	}
	code, stdout := execute("count")
	require.Equal(t, exitDone, code, stdout)
	assert.Equal(t, "2 <nil>\n", stdout)

	code, stdout = execute("--only", "listers")
	require.Equal(t, exitDone, code, stdout)
	written := filesBelow(t, dir)
	assert.Equal(t, "2\n", written["pkg/generated/listers/kinds.txt"])
	code, stdout = execute("verify", "--only", "listers")
	assert.Equal(t, exitDone, code, stdout)

	writeFile(t, dir+"/pkg/generated/listers/kinds.txt", "3\n")
	code, stdout = execute("verify", "--only", "listers")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "differs  pkg/generated/listers/kinds.txt\n")
}
