package makefile

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read returns the recipes of a Makefile in /m that can include others. The shell knows echo only.
func read(files map[string]string) []Recipe {
	return Read(Config{
		Name: "/m/Makefile", Dir: "/m",
		Open: func(name string) ([]byte, bool) {
			text, ok := files[filepath.Base(name)]
			return []byte(text), ok
		},
		Shell: func(command string) (string, bool) { return "out", command == "echo" },
	})
}

func TestExpand(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"late and early":        {"A = $(C)\nB := $(C)\nC = 1\nx:\n\trun $(A) $(B)", "run 1 ${C}"},
		"unless set":            {"A ?= 1\nA ?= 2\nx:\n\trun $A", "run 1"},
		"appended":              {"A = 1\nA += $(B)\nB = 2\nx:\n\trun $(A)", "run 1 2"},
		"shell":                 {"A := $(shell echo)\nB != echo\nx:\n\trun $(A) ${B} $(shell date)", "run out out $(date)"},
		"for the shell":         {"x:\n\trun $$A $${B}", "run $A ${B}"},
		"automatic":             {"x: a b\n\trun $@ $< $^", "run x a a b"},
		"of a target":           {"x: A = 1\nx:\n\trun $(A)", "run 1"},
		"subst":                 {"x:\n\trun $(subst a,b,aa) $(patsubst %.c,%.o,x.c y) $(A:=.o)\nA = p q", "run bb x.o y p.o q.o"},
		"words":                 {"x:\n\trun $(firstword a b) $(lastword a b) $(word 2,a b) $(words a b)", "run a b b 2"},
		"lists":                 {"x:\n\trun $(filter a%,ab b) $(filter-out a%,ab b) $(sort b a b) $(addprefix -,a b) $(addsuffix /,a)", "run ab b a b -a -b a/"},
		"paths":                 {"x:\n\trun $(dir a/b c) $(notdir a/b) $(basename a/b.c) $(abspath a/../b)", "run a/ ./ b a/b /m/b"},
		"foreach and call":      {"f = <$(1)>\nx:\n\trun $(foreach i,1 2,$(call f,$(i)))", "run <1> <2>"},
		"if and or":             {"x:\n\trun $(if $(A),1,2) $(or $(A),3)", "run 2 3"},
		"itself":                {"A = $(A) 1\nx:\n\trun $(A)", "run  1"},
		"ifeq":                  {"ifeq ($(A),1)\nB = 1\nelse ifeq ($(A),)\nB = 2\nelse\nB = 3\nendif\nx:\n\trun $(B)", "run 2"},
		"ifdef":                 {"A = 1\nifdef A\nB = 1\nendif\nifndef A\nB = 2\nendif\nx:\n\trun $(B)", "run 1"},
		"eval":                  {"define d\n$(1) = 1\nendef\n$(eval $(call d,A))\nx:\n\trun $(A)", "run 1"},
		"continued":             {"A = 1 \\\n  2\nx:\n\trun $(A) \\\n\t  3", "run 1 2 \\\n  3"},
		"prefixes of a line":    {"x:\n\t@-run", "run"},
		"in the line of a rule": {"x: a; run", "run"},
		"comment":               {"A = 1 # one\nx:\n\trun $(A)", "run 1 "},
		"never closed":          {"x:\n\trun $(A", "run $(A"},
	} {
		t.Run(name, func(t *testing.T) {
			recipes := read(map[string]string{"Makefile": test.text})
			if assert.Len(t, recipes, 1) {
				assert.Equal(t, test.want, recipes[0].Text)
			}
		})
	}
}

// TestInclude follows includes, and has the lines of recipes in their files.
func TestInclude(t *testing.T) {
	recipes := read(map[string]string{
		"Makefile": "-include a.mk b.mk nothing.mk\n\nx:\n\n\trun $(A)\n", "a.mk": "A = 1\ninclude Makefile\n", "b.mk": "y:\n\trun\n\t@stop\n",
	})
	assert.Equal(t, []Recipe{
		{File: "/m/b.mk", Line: 2, Target: "y", Text: "run\nstop"}, {File: "/m/Makefile", Line: 5, Target: "x", Text: "run 1"},
	}, recipes)
}

// TestLimits reads Makefiles that grow and grow.
func TestLimits(t *testing.T) {
	chain := "A0 =\n"
	for i := range 30 {
		chain += fmt.Sprintf("A%d = $(A%d)$(A%d)\n", i+1, i, i)
	}
	for name, text := range map[string]string{
		"doubled":           strings.Repeat("A := $(A)$(A)1\n", 40) + "x:\n\trun $(A)",
		"appended":          "A := 1\n" + strings.Repeat("A += $(A)\n", 40) + "x:\n\trun $(A)",
		"replaced":          "A := z\n" + strings.Repeat("A := $(subst z,zzzz,$(A))\n", 40) + "x:\n\trun $(A)",
		"chain of nothings": chain + "x:\n\trun $(A30)",
		"eval of itself":    "A = $(eval $(value A))\n$(A)\nx:\n\trun $(A) $(B)",
	} {
		t.Run(name, func(t *testing.T) {
			recipes := read(map[string]string{"Makefile": text})
			require.Len(t, recipes, 1)
			assert.LessOrEqual(t, len(recipes[0].Text), 2*maxLength)
			assert.Contains(t, recipes[0].Text, tooLong)
		})
	}
}
