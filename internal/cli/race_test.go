//go:build race

package cli

import (
	"os"
	"strings"
)

func init() {
	// The go commands that tests start compile with the race detector too: with a cold cache, dependencies are not compiled twice.
	_ = os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -race"))
	// Cases share the code that runs concurrently, and TestTemplatesForTargets uses all templates in the test's process.
	inProcessStep = 8
	// Other tests compile and link at the same time.
	nameStep = 5
}
