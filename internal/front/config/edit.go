package config

import (
	"bytes"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// With adds manifest options that neither the configuration file nor the command line sets, at the top level of the file: an operator,
// which is a Deployment, and directories by key, slash-separated and relative to the working directory. A new file has the options of the
// command line. Roles get the name of the operator, unless they are generated already. The generators are the names of all generators.
func (c CommandLine) With(directories map[string]string, operator string, generators []string) (option.Edit, error) {
	name, text, existing, err := c.read()
	if err != nil {
		return option.Edit{}, err
	}
	e := option.Edit{Name: name}
	chosen := c.chosen()
	b := bytes.NewBuffer(bytes.TrimRight(text, "\r\n"))
	values := map[string]any{option.ManifestsDeploymentsKey: []string{operator}}
	if _, set := chosen[option.RBACOutputDirKey]; !set && !existing.sets(option.RBACOutputDirKey) {
		values[option.RBACRoleNameKey] = operator
	}
	for key, dir := range directories {
		values[key] = filepath.ToSlash(diag.Relative(filepath.Dir(name), diag.Absolute(c.Dir, dir)))
	}
	if named := c.deployments(existing); len(named) > 0 && !slices.Contains(named, operator) {
		e.Lacking = []string{operator}
	}
	for _, key := range option.Keys() {
		value, wanted := values[key]
		if _, set := chosen[key]; !wanted || set || existing.sets(key) {
			continue
		}
		chosen[key] = value
		e.Keys = append(e.Keys, key)
		b.WriteString("\n" + key + ": " + option.FlowYAML(value))
	}
	switch {
	case len(e.Keys) == 0:
		return e, nil
	case len(text) == 0:
		e.Text = []byte(Text(chosen, generators))
	case isFlow(text):
		return e, option.ErrFlowStyle
	default:
		b.WriteString("\n")
		e.Text = linesLike(text, b.Bytes())
	}
	return e, nil
}

// isFlow reports whether the top level of a document is in braces.
func isFlow(text []byte) bool {
	var document yaml.Node
	return yaml.Unmarshal(text, &document) == nil && len(document.Content) == 1 && document.Content[0].Style&yaml.FlowStyle != 0
}

// chosen returns the values of the options that a command line sets.
func (c CommandLine) chosen() map[string]any {
	values := map[string]any{}
	for _, o := range option.Options {
		if !o.FlagOnly && c.Given.Changed(o.Flag) {
			values[o.Flag] = c.Values.Of(o).Interface()
		}
	}
	if len(c.Packages) > 0 {
		values[option.PackagesKey] = c.Packages
	}
	return values
}

// deployments returns the Deployments that a configuration names.
func (c CommandLine) deployments(f *file) []string {
	named := slices.Clone(c.Values.ManifestsDeployments)
	for _, b := range append(f.outputs, f.top) {
		for _, s := range b.settings {
			if s.option.Flag == option.ManifestsDeploymentsKey {
				named = append(named, s.value.([]string)...)
			}
		}
	}
	return named
}

// sets reports whether a key is set at the top level or in one of the outputs.
func (f *file) sets(key string) bool {
	return slices.ContainsFunc(append(f.outputs, f.top), func(b block) bool {
		return slices.ContainsFunc(b.settings, func(s setting) bool { return s.option.Flag == key })
	})
}

const textHead = `# Configuration of informer-gen-lite. option.Keys are flags of generate; the command line takes precedence.
# Paths and packages are relative to this file. Lines that begin with # and no space show defaults.

# Packages to generate for, as patterns of the go command.
`

const textTail = `
# With several API roots, each has its own output. The keys above are defaults for all outputs.
#outputs: [{packages: [./apis/...], output-dir: pkg/generated}]

# Sources of the types of other projects: import adds them.
#imports: [{from: crds/other.yaml, into: apis}]
`

// Text returns a configuration file with the chosen keys. All other keys are comments with their defaults. The generators are the
// names of all generators.
func Text(chosen map[string]any, generators []string) string {
	var b strings.Builder
	b.WriteString(textHead)
	writeSetting(&b, option.PackagesKey, []string{"./..."}, chosen)
	values := option.Default()
	for _, o := range option.Options {
		if !o.FlagOnly {
			usage := strings.TrimSuffix(o.Usage(generators), ",…") // lists have their own form in the file
			fmt.Fprintf(&b, "\n# %s.\n", strings.ToUpper(usage[:1])+usage[1:])
			writeSetting(&b, o.Flag, values.Of(o).Interface(), chosen)
		}
	}
	b.WriteString(textTail)
	return b.String()
}

// writeSetting writes a key with its default as a comment, or with the chosen value.
func writeSetting(b *strings.Builder, key string, byDefault any, chosen map[string]any) {
	value, mark := byDefault, "#"
	if set, ok := chosen[key]; ok {
		value, mark = set, ""
	}
	fmt.Fprintf(b, "%s%s: %s\n", mark, key, option.FlowYAML(value))
}

// WithImports returns the configuration file with entries of imports. They replace those with the same source and directory. Comments and
// the ends of lines stay. The error is a diag.List if keys can only be added by hand.
func (c CommandLine) WithImports(entries []option.Import, generators []string) (option.Edit, error) {
	name, original, f, err := c.read()
	if err != nil {
		return option.Edit{}, err
	}
	e := option.Edit{Name: name, Keys: []string{option.ImportsKey}}
	text := unixLines(original)
	if len(text) == 0 {
		text = []byte(Text(c.chosen(), generators))
	}
	for _, entry := range entries {
		if i := slices.IndexFunc(f.imports, entry.Replaces); i >= 0 && hasChecksumOf(entry, f.imports[i]) {
			text = withChecksum(text, f.imports[i], entry.SHA256)
		} else if text, err = withImport(name, text, i, textOf(entry, filepath.Dir(name))); err != nil {
			return e, err
		}
		if f, err = parse(name, text); err != nil {
			return e, err
		}
	}
	e.Text = linesLike(original, text)
	return e, nil
}

// unixLines ends the lines of a text with \n.
func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// linesLike gives a text the line endings of another one.
func linesLike(other, text []byte) []byte {
	if bytes.Contains(other, []byte("\r\n")) {
		return bytes.ReplaceAll(unixLines(text), []byte("\n"), []byte("\r\n"))
	}
	return text
}

// hasChecksumOf reports whether the old entry in the file has all that an entry has, and a checksum, which may differ.
func hasChecksumOf(i, old option.Import) bool {
	i.Pos, i.SHA256, i.ChecksumAt = old.Pos, old.SHA256, old.ChecksumAt
	return old.SHA256 != "" && reflect.DeepEqual(i, old)
}

// withChecksum replaces the checksum of an entry. Comments stay.
func withChecksum(text []byte, entry option.Import, checksum string) []byte {
	lines := bytes.SplitAfterN(text, []byte("\n"), entry.ChecksumAt.Line)
	last := &lines[len(lines)-1]
	before, rest := (*last)[:entry.ChecksumAt.Column-1], (*last)[entry.ChecksumAt.Column-1:]
	*last = slices.Concat(before, bytes.Replace(rest, []byte(entry.SHA256), []byte(checksum), 1))
	return bytes.Join(lines, nil)
}

// withImport replaces the entry with an index or, if it is negative, adds an entry. A list in brackets becomes a block.
func withImport(name string, text []byte, index int, entry []string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	top := &yaml.Node{}
	if len(document.Content) == 1 {
		top = document.Content[0]
	}
	if top.Style&yaml.FlowStyle != 0 {
		return nil, diag.List{{
			Pos: token.Position{Filename: name, Line: top.Line, Column: top.Column}, Hint: "write each key on a line of its own, without braces",
			Message: "cannot record the import: " + option.ErrFlowStyle.Error(), Cause: option.ErrFlowStyle,
		}}
	}
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value != option.ImportsKey {
			continue
		}
		list, next := resolveAlias(top.Content[i+1]), len(lines)
		if i+2 < len(top.Content) {
			next = top.Content[i+2].Line - 1
		}
		if list.Style&yaml.FlowStyle != 0 || len(list.Content) == 0 {
			begin := top.Content[i].Line - 1
			block := asBlock(list)
			return withImport(name, replaceLines(lines, begin, lastLine(lines, begin, next), block), index, entry)
		}
		begin := lastLine(lines, list.Line-1, next)
		end := begin
		if index >= 0 {
			begin = dash(lines, list.Content[index])
			if index+1 < len(list.Content) {
				next = dash(lines, list.Content[index+1])
			}
			end = lastLine(lines, begin, next)
		}
		for n, line := range entry {
			entry[n] = strings.Repeat(" ", list.Column-1) + line
		}
		return replaceLines(lines, begin, end, entry), nil
	}
	return replaceLines(lines, len(lines), len(lines), append([]string{"", option.ImportsKey + ":"}, entry...)), nil
}

// asBlock returns the lines of imports without brackets; none for an empty list. The comments around the list are not part of it.
func asBlock(list *yaml.Node) []string {
	if len(list.Content) == 0 {
		return nil
	}
	list.Style, list.HeadComment, list.FootComment = 0, "", ""
	for _, element := range list.Content {
		element.Style = 0
	}
	text, _ := yaml.Marshal(map[string]*yaml.Node{option.ImportsKey: list}) // it has been read
	return strings.Split(strings.ReplaceAll(strings.TrimSpace(string(text)), "\n    ", "\n"), "\n")
}

// dash returns the index of the line where an element of a list begins.
func dash(lines []string, element *yaml.Node) int {
	i := element.Line - 1
	for !strings.HasPrefix(strings.TrimSpace(lines[i]), "-") {
		i--
	}
	return i
}

// lastLine returns the end of a node that begins at an index. Trailing blank lines and comments belong to the next node.
func lastLine(lines []string, begin, next int) int {
	for ; next > begin+1; next-- {
		if line := strings.TrimSpace(lines[next-1]); line != "" && line[0] != '#' {
			break
		}
	}
	return next
}

func replaceLines(lines []string, begin, end int, by []string) []byte {
	return []byte(strings.Join(slices.Concat(lines[:begin], by, lines[end:]), "\n") + "\n")
}

// textOf returns the lines of an entry in a configuration file in a directory.
func textOf(i option.Import, dir string) []string {
	var b bytes.Buffer
	add := func(wanted bool, key string, value any) {
		if wanted {
			fmt.Fprintf(&b, "  %s: %s\n", key, option.FlowYAML(value))
		}
	}
	add(true, option.FromKey, filepath.ToSlash(diag.Relative(dir, i.From)))
	add(true, option.IntoKey, filepath.ToSlash(diag.Relative(dir, i.Into)))
	add(i.Note != "", option.NoteKey, i.Note)
	add(len(i.Groups) > 0, option.GroupsKey, i.Groups)
	add(len(i.Omit) > 0, option.OmitKey, i.Omit)
	add(len(i.Versions) > 0, option.VersionsKey, i.Versions)
	add(i.Plain, option.RecognizeKey, false)
	if len(i.Names) > 0 {
		fmt.Fprintf(&b, "  %s:\n", option.NamesKey)
		for _, name := range slices.Sorted(maps.Keys(i.Names)) {
			fmt.Fprintf(&b, "    %s: %s\n", name, i.Names[name])
		}
	}
	if len(i.Markers) > 0 {
		fmt.Fprintf(&b, "  %s:\n", option.MarkersKey)
		for _, name := range slices.Sorted(maps.Keys(i.Markers)) {
			fmt.Fprintf(&b, "    %s: %s\n", name, option.FlowYAML(i.Markers[name]))
		}
	}
	add(true, option.SHA256Key, i.SHA256)
	return strings.Split("- "+strings.TrimRight(b.String()[2:], "\n"), "\n")
}
