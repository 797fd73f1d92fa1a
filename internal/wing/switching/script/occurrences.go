package script

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// scriptName matches what may be the name of another script, possibly with a pattern.
var scriptName = shell.Lazy(`/?[\w.*+-]+\.(sh|bash|mk)\b|/[\w+-]+`)

// occurrence returns the first mention of a generator in a file or in a script that the file may source or call, as file:line and name. It
// returns "" if no generator is mentioned.
func (t *translator) occurrence(name string) (found string) {
	if known, ok := t.occurrences[name]; ok {
		return known
	}
	defer func() { t.occurrences[name] = found }()
	files := []string{name}
	for i := 0; i < len(files); i++ {
		text, ok := t.repo.Read(files[i])
		if !ok || isDefinition(files[i], text) || strings.HasPrefix(filepath.Base(files[i]), "verify") {
			continue
		}
		if at := t.mention.FindIndex(text); at != nil {
			line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
			return fmt.Sprintf("%s:%d has %s", repository.Relative(t.dir, files[i]), line, text[at[0]:at[1]])
		}
		for _, word := range scriptName().FindAllString(string(text), -1) {
			for _, other := range t.scripts() {
				if ok, _ := path.Match(path.Base(word), filepath.Base(other)); ok && !slices.Contains(files, other) {
					files = append(files, other)
				}
			}
		}
	}
	return ""
}

// scripts returns the scripts of the repository, and the files that Makefiles include.
func (t *translator) scripts() []string {
	if t.found != nil {
		return t.found
	}
	t.found = []string{}
	for name := range t.repo.Files(t.repo.Root) {
		ext, isScript := filepath.Ext(name), false
		if ext == "" {
			text, _ := t.repo.Read(name)
			isScript = isShell(text)
		}
		if isScript || slices.Contains([]string{".sh", ".bash", ".mk"}, ext) {
			t.found = append(t.found, name)
		}
	}
	return t.found
}

// unreadable records why a file that nobody named cannot be read, unless no generator occurs in it and in what it sources or calls.
func (t *translator) unreadable(name string, bad diag.List) {
	occurrence := t.occurrence(name)
	if occurrence == "" {
		return
	}
	bad = slices.Clone(bad)
	for i, d := range bad {
		bad[i].Hint = strings.TrimPrefix(d.Hint+": "+occurrence, ": ")
	}
	if t.limits.Err() == nil {
		t.diags = append(t.diags, bad...)
		return
	}
	t.exceeded, t.unfinished = append(t.exceeded, bad...), append(t.unfinished, occurrence)
}

// stopped returns one warning for all files that exceed a limit.
func (t *translator) stopped() diag.List {
	if len(t.exceeded) == 0 {
		return nil
	}
	first := t.exceeded[0]
	if n := len(t.exceeded) - 1; n > 0 {
		first.Message = strings.Replace(first.Message, "this script", fmt.Sprintf("this script and %d others", n), 1)
	}
	first.Hint = "check that the configuration has all packages and outputs: " + strings.Join(t.unfinished, ", ")
	return diag.List{first}
}
