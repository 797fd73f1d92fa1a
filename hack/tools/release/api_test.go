package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareAPI(t *testing.T) {
	broken := map[string]string{"runtime/r.go": "package runtime\n\nfunc Start(name string, again bool) {}\n"}
	const change = rootModule + "/runtime: Start: changed from func(string) to func(string, bool)"
	for name, test := range map[string]struct {
		last, version string
		files         map[string]string
		notes, err    string
	}{
		"patch":            {last: "v0.1.0", version: "v0.1.1", files: broken, err: "v0.1.1 may not have incompatible changes since v0.1.0:\n\t" + change},
		"minor":            {last: "v0.1.0", version: "v0.2.0", files: broken, notes: "News.\n\nIncompatible changes of the Go API since v0.1.0:\n\n- " + change + "\n"},
		"minor after v1":   {last: "v1.1.0", version: "v1.2.0", files: broken, err: "v1.2.0 may not have incompatible changes since v1.1.0:\n\t" + change},
		"first major":      {last: "v0.9.0", version: "v1.0.0", files: broken, notes: "News.\n\nIncompatible changes of the Go API since v0.9.0:\n\n- " + change + "\n"},
		"root":             {last: "v0.1.0", version: "v0.1.1", files: map[string]string{"root.go": "package root\n"}, err: rootModule + ": Run: removed"},
		"package removed":  {last: "v0.1.0", version: "v0.1.1", files: map[string]string{"runtime/r.go": "package main\n\nfunc main() {}\n"}, err: rootModule + "/runtime: removed"},
		"addition":         {last: "v0.1.0", version: "v0.1.1", files: map[string]string{"root.go": "package root\n\nfunc Run() {}\n\nfunc More() {}\n"}, notes: "News.\n"},
		"not promised":     {last: "v0.1.0", version: "v0.1.1", files: map[string]string{"generators/g.go": "package generators\n", "runtime/internal/i.go": "package internal\n"}, notes: "News.\n"},
		"does not compile": {last: "v0.1.0", version: "v0.1.1", files: map[string]string{"runtime/r.go": "package runtime\n\nvar x int = \"\"\n"}, err: "cannot use"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScratch(t)
			for _, module := range []string{"", "runtime/"} {
				s.must("tag", module+test.last)
			}
			s.must("tag", "v0.0.1") // not the last one
			test.files[changelog] = "# Changelog\n\n## " + test.version + " (not yet released)\n\nNews.\n"
			s.commit(test.files)
			r := s.release(test.version)
			require.NoError(t, r.commit(t.Context()))
			err := r.compareAPI(t.Context())
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.notes, r.notes)
		})
	}
}
