package cli

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// TestTargets runs the cases in modules that build with older releases of client-go, and type-checks what was generated
// there: with that release, and with all later ones, as a library's clients are compiled with the client-go of whoever
// imports the library.
func TestTargets(t *testing.T) {
	for _, target := range model.Targets() {
		if target == model.NewestTarget {
			continue // that is TestCases
		}
		t.Run(target.String(), func(t *testing.T) {
			cases := slices.DeleteFunc(loadCasesFor(t, target, "*"), (*testCase).fails)
			t.Run("run", func(t *testing.T) {
				for _, c := range cases {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						code, _, stderr := c.execute(t, "cache")
						require.Equal(t, exitDone, code, string(stderr))
						c.checkFormat(t, c.state(t))
						addObjectMethods(t, c.dir)
					})
				}
			})
			checkWithLater(t, target, func(checker *typeChecker) {
				for _, c := range cases {
					c.addTo(t, checker)
				}
			})
		})
	}
}

// checkWithLater type-checks packages that were made for a release of client-go with that and with all later ones.
func checkWithLater(t *testing.T, target model.Target, add func(*typeChecker)) {
	t.Helper()
	for _, with := range model.Targets() {
		if with.Minor < target.Minor {
			continue
		}
		t.Run("compile with "+with.String(), func(t *testing.T) {
			checker := newTypeChecker(with)
			add(checker)
			checker.check(t)
		})
	}
}

var _ = assert.Equal
var _ = filepath.Join
