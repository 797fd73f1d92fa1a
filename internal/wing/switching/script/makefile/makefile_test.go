package makefile

import (
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// read returns the recipes of a Makefile in /m that can include others. The shell only knows echo.
func read(files map[string]string, b *shell.Limits) []Recipe {
	return Read(Config{
		Name: "/m/Makefile", Dir: "/m", Limits: b, Readable: func(string) bool { return true },
		Open: func(name string) ([]byte, bool) {
			text, ok := files[filepath.Base(name)]
			return []byte(text), ok
		},
		Shell: func(command string) (string, error) {
			if command == "echo" {
				return "out", nil
			}
			return "", errors.New("unknown command")
		},
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
		"lists":                 {"x:\n\trun $(filter a%,ab b) $(filter-out a%,ab b) $(sort b a b)", "run ab b a b"},
		"affixes":               {"x:\n\trun $(addprefix -,a b) $(addsuffix /,a)", "run -a -b a/"},
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
			recipes := read(map[string]string{"Makefile": test.text}, shell.NewLimits())
			if assert.Len(t, recipes, 1) {
				assert.Equal(t, test.want, recipes[0].Text)
			}
		})
	}
}

// TestTargets checks which recipes there are for rules with patterns or several targets.
func TestTargets(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"stem of what is needed":       {"all: gen-a gen-b\ngen-%: src-%\n\trun $* $@ $< $(@F)", []string{"run a gen-a src-a gen-a", "run b gen-b src-b gen-b"}},
		"stem of what is phony":        {".PHONY: gen-a\ngen-%:\n\trun $*", []string{"run a"}},
		"stem of what recipes make":    {"all:\n\t$(MAKE) -s gen-a && echo\ngen-%:\n\trun $*", []string{"make -s gen-a && echo", "run a"}},
		"stem of a stem":               {"all: x-a\nx-%: y-%\ny-%:\n\trun $*", []string{"run a"}},
		"stem that nothing needs":      {"gen-%:\n\trun $* $@", []string{"run ${STEM} gen-${STEM}"}},
		"a rule of its own":            {"all: gen-a gen-b\ngen-a:\n\tother\ngen-%:\n\trun $*", []string{"other", "run b"}},
		"pattern of itself":            {".PHONY: a\n%: %.x\n\trun $*", []string{"run a", "run a.x", "run a.x.x", "run a.x.x.x"}},
		"pattern after the targets":    {"gen-a gen-b: gen-%: %.x\n\trun $* $<", []string{"run a a.x", "run b b.x"}},
		"computed targets":             {"A = a b\n$(A:%=gen-%): gen-%: %.x\n\trun $*", []string{"run a", "run b"}},
		"several targets":              {"a b:\n\trun $@", []string{"run a", "run b"}},
		"several targets, one recipe":  {"a b:\n\trun", []string{"run"}},
		"variable of a target":         {"a: A = 1\nb: A = 2\na b:\n\trun $(A)", []string{"run 1", "run 2"}},
		"variable named by a target":   {"a_ARGS = 1\na b:\n\trun $($@_ARGS).", []string{"run 1.", "run ."}},
		"assignment of a target":       {"a: B = c\na: gen-c\na:\n\trun $(B)", []string{"run c"}},
		"assignment in the recipe":     {"a:\n\t$(eval A := $@)\n\trun $(A)", []string{"\nrun a"}},
		"order-only and double colons": {"all: | gen-a\ngen-%::\n\trun $*", []string{"run a"}},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for _, recipe := range read(map[string]string{"Makefile": test.text}, shell.NewLimits()) {
				texts = append(texts, recipe.Text)
			}
			assert.Equal(t, test.want, texts)
		})
	}
}

// TestSurroundingsOfRecipes checks what a recipe gets besides its text.
func TestSurroundingsOfRecipes(t *testing.T) {
	recipes := read(map[string]string{"Makefile": ".ONESHELL:\nexport A = $(B)\nB = 1\nC = 2\nexport C D\nexport E = $(F)\nx: B = 3\nx: export G = 4\nx:\n\trun"},
		shell.NewLimits())
	require.Len(t, recipes, 1)
	assert.True(t, recipes[0].Together)
	assert.Equal(t, map[string]string{"A": "3", "C": "2", "G": "4"}, recipes[0].Variables, "unknown variables are not set")
}

// TestInclude checks that includes are followed, and that the lines of recipes belong to their files.
func TestInclude(t *testing.T) {
	recipes := read(map[string]string{
		"Makefile": "-include a.mk b.mk nothing.mk\n\nx:\n\n\trun $(A)\n", "a.mk": "A = 1\ninclude Makefile\n", "b.mk": "y:\n\trun\n\t@stop\n",
	}, shell.NewLimits())
	assert.Equal(t, []Recipe{
		{Pos: token.Position{Filename: "/m/b.mk", Line: 2}, Target: "y", Text: "run\nstop"},
		{Pos: token.Position{Filename: "/m/Makefile", Line: 5}, Target: "x", Text: "run 1"},
	}, recipes)
}

// TestLimits reads Makefiles that grow without limit: texts that are too long are unknown, and too much work ends.
func TestLimits(t *testing.T) {
	chain := "A0 =\n"
	for i := range 30 {
		chain += fmt.Sprintf("A%d = $(A%d)$(A%d)\n", i+1, i, i)
	}
	long := "A := " + strings.Repeat("z ", 20_000) + "\n"
	run := "\nx:\n\trun $(A) $(B)"
	for name, test := range map[string]struct {
		text  string
		line  int
		limit string
	}{
		"doubled":              {strings.Repeat("A := $(A)$(A)1\n", 40) + run, 0, ""},
		"appended":             {"A := 1\n" + strings.Repeat("A += $(A)\n", 40) + run, 0, ""},
		"long for each":        {long + "B := $(foreach i,$(A),$(A))" + run, 0, ""},
		"long before each":     {long + "B := $(addprefix $(A),$(A))" + run, 0, ""},
		"long for a character": {long + "B := $(subst z,$(A),$(A))" + run, 0, ""},
		"chain of nothings":    {chain + "x:\n\trun $(A30)", 33, "32768 commands"},
		"eval of itself":       {"A = $(eval $(value A))\n$(A)" + run, 1, "200 nested references"},
		"nested":               {"B := " + strings.Repeat("$(", 40_000) + strings.Repeat(")", 40_000) + run, 1, "200 nested references"},
		"many rules":           {long + strings.Repeat("y:\n\trun $(A)\n", 4_000), 1677, "32 MiB of output"},
		"length":               {strings.Repeat("A := 1\n", 40_000), 1, "128 KiB of Makefile"},
	} {
		t.Run(name, func(t *testing.T) {
			b := shell.NewLimits()
			recipes := read(map[string]string{"Makefile": test.text}, b)
			if test.limit != "" {
				assert.EqualError(t, b.Err(), fmt.Sprintf("/m/Makefile:%d: stopped reading this script: it exceeds the limit of %s%s",
					test.line, test.limit, "\n\twrite .informer-gen.yaml by hand"))
				return
			}
			require.NoError(t, b.Err())
			require.Len(t, recipes, 1)
			assert.LessOrEqual(t, len(recipes[0].Text), 2*shell.MaxValue)
			assert.Contains(t, recipes[0].Text, tooLong)
		})
	}
}

// TestIncludedFiles includes a chain of files.
func TestIncludedFiles(t *testing.T) {
	files := map[string]string{"Makefile": "include i0"}
	for i := range 1000 {
		files[fmt.Sprint("i", i)] = fmt.Sprintf("\ninclude i%d\n", i+1)
	}
	b := shell.NewLimits()
	assert.Empty(t, read(files, b))
	assert.EqualError(t, b.Err(),
		"/m/i125:2: stopped reading this script: it exceeds the limit of 32768 commands\n\twrite .informer-gen.yaml by hand")
}
