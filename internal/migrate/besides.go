package migrate

import (
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// objects is a call of controller-gen's generator object, which generates deep copies.
type objects struct {
	pos token.Position
	// inputs are the packages with deep copies.
	inputs []input
}

// objectCall matches a call of the generator object in a text.
var objectCall = lazy(`(?i)controller[-_]?gen\b(\\\n|[^\n])*\bobject\b`)

// objectMarker matches the markers that controller-gen's generator object looks for.
var objectMarker = lazy(marker(`(kubebuilder:object:(generate|root)=true|k8s:deepcopy-gen)`))

// objects returns what a call of controller-gen generates deep copies for.
func (c *toolCall) objects() []objects {
	all, isObject := objects{pos: c.Pos}, false
	var paths []string
	for _, arg := range c.Args {
		generator, _, _ := strings.Cut(arg.Text, ":")
		isObject = isObject || generator == "object"
		if list, ok := strings.CutPrefix(arg.Text, "paths="); ok && arg.Unknown == "" {
			paths = append(paths, strings.FieldsFunc(strings.Trim(list, `{}"'`), func(r rune) bool { return r == ';' || r == ',' })...)
		} else if ok {
			paths = append(paths, "./...")
		}
	}
	if !isObject {
		return nil
	}
	for _, name := range paths {
		all.inputs = union(all.inputs, c.listed([]input{c.packageOf(strings.Trim(name, `"'`))}, objectMarker()))
	}
	return []objects{all}
}

// compareObjects says for which packages controller-gen's generator object is replaced, and for which it must stay.
func (m *merger) compareObjects(all []objects, outputs []*piece) {
	var ours []input
	for _, p := range outputs {
		if p.makes("deepcopy") || p.makes(clientset) && p.makes(listers) && p.makes(informers) {
			ours = union(ours, p.packages())
		}
	}
	for _, call := range all {
		var replaced, left []string
		for _, i := range call.inputs {
			if slices.ContainsFunc(ours, func(o input) bool { return o.covers(i) }) {
				replaced = append(replaced, i.name(m.repo.Root))
			} else {
				left = append(left, i.name(m.repo.Root))
			}
		}
		if len(replaced) == 0 {
			continue
		}
		hint := "remove its generator object"
		if len(left) > 0 {
			hint = "keep its generator object for " + strings.Join(left, ", ") + ": this configuration does not have them"
		}
		m.diags.AddHint(call.pos, hint, "controller-gen need not generate the deep copies of %s: informer-gen-lite does",
			strings.Join(replaced, ", "))
	}
}

// renamed warns about each file that calls generators and gives the generated files other names, such as x.gen.go.
func (t *translator) renamed(pieces []*piece) (diags diag.List) {
	var names []string
	for _, p := range pieces {
		names = append(names, p.pos.Filename)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text, _ := t.repo.Read(name)
		lines := strings.Split(string(text), "\n")
		if i := slices.IndexFunc(lines, rename().MatchString); i >= 0 {
			diags.AddHint(token.Position{Filename: name, Line: i + 1},
				"remove what renames them; informer-gen-lite generate --adopt removes the clients with other names",
				"other names of clients are not translated: informer-gen-lite names them as code-generator does; existing deep copies keep theirs")
		}
	}
	return diags
}

// rename matches a command that renames files to x.gen.go or x_gen.go.
var rename = lazy(`\b(mv|rename|prename)\b.*[._]gen(erated)?\\?\.go\b`)
