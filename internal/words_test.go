package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// british matches words with a spelling that is not American, also in names.
var british = regexp.MustCompile(`(?i)(label|cancel|model|travel|signal|channel|level|marshal|tunnel|total|initial|dial)l(ed|ing)` +
	`|(behavi|col|fav|flav|harb|hon|hum|neighb|rum)our|(licen|defen|offen|preten)ce\b|\b(cent|met|lit|fib|theat)res?\b|(cata|ana)logue` +
	`|(author|capital|categor|custom|final|general|initial|local|material|maxim|minim|normal|optim|organ|prior|random|real|recogn|sanit` +
	`|serial|special|stabil|standard|summar|synchron|token|util|visual)is(e|ed|es|er|ers|ing|ation|ations)\b|analys(e|ed|ing)\b` +
	`|\bgrey|judgement|whilst|amongst|misspelt|\b(un)?learnt\b|artefact|\bfulfil\b|practis(ed?|ing)\b|towards\b`)

// foreign removes an option of grep, and the former names in the changelog.
var foreign = strings.NewReplacer(`"--colour"`, "", "`controller.OutcomeCancelled`", "", "`cancelled`", "")

// TestSpellingIsAmerican checks all texts of the repository: the Kubernetes API spells labeled and canceled.
func TestSpellingIsAmerican(t *testing.T) {
	isBritish := map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", ".cache", "bin"}, d.Name()):
			return fs.SkipDir
		case d.IsDir() || d.Name() == "words_test.go" || d.Name() == "LICENSE" || d.Name() == "go.sum":
			return nil
		}
		text, err := os.ReadFile(name)
		if !utf8.Valid(text) {
			return err
		}
		for n, line := range strings.Split(foreign.Replace(string(text)), "\n") {
			for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) }) {
				if _, seen := isBritish[word]; !seen {
					isBritish[word] = british.MatchString(word)
				}
				assert.False(t, isBritish[word], "%s:%d: %s", name, n+1, word)
			}
		}
		return err
	}))
	assert.Greater(t, len(isBritish), 10_000)
}

// riddles match relative clauses in place of nouns. "Those of a controller" makes readers search for the noun.
var riddles = regexp.MustCompile(`\b([Tt]hat of|[Tt]hose (that|of)|[Oo]ne that|of which|what (it|is|has|a|the))\b`)

func TestCommentsUseNouns(t *testing.T) {
	checked := 0
	all := packages(t, ".")
	maps.Copy(all, packages(t, library))
	for _, names := range all {
		for _, name := range names {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, group := range file.Comments {
				for _, comment := range group.List {
					checked++
					assert.Empty(t, riddles.FindString(comment.Text), "%s: %s", fset.Position(comment.Pos()), comment.Text)
				}
			}
		}
	}
	assert.Greater(t, checked, 5000)
}
