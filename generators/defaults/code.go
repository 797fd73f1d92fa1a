package defaults

import (
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// writer writes the statements of code-generator, formatted as part of the body of a function. Each begins with a line break. The template
// does not write them because they nest.
type writer struct {
	render.Statements
}

// value is a value in generated code.
type value struct {
	// name is an expression for the value or, if pointer is true, for a pointer to it.
	name    string
	pointer bool
	// depth is the number of loops around it, field the name of the field that it is in.
	depth int
	field string
}

// object is what the parameter of the functions points to.
var object = value{name: "in", pointer: true}

// itself returns an expression for the value.
func (v value) itself() string {
	if v.pointer {
		return "(*" + v.name + ")"
	}
	return v.name
}

// address returns an expression for a pointer to the value.
func (v value) address() string {
	if v.pointer {
		return v.name
	}
	return "&" + v.name
}

// node writes the code that sets the defaults of a part of a value.
func (w *writer) node(n *model.DefaultNode, of value) {
	outer := of.field
	of.field = n.Field
	if n.Field != "" {
		of.name, of.pointer = of.name+"."+n.Field, false
	}
	if !n.Pointer || n.Index || outer == "" && of == object {
		w.body(n, of, outer)
		return
	}
	of.name, of.pointer = of.itself(), true
	w.Block("if "+of.name+" != nil", func() { w.body(n, of, outer) })
}

// body writes the code for a value that is not nil. outer is the field that the value is in.
func (w *writer) body(n *model.DefaultNode, of value, outer string) {
	switch index := variable("ijklmnop", "i", of.depth); {
	case n.Index:
		w.loop(n, of, index)
	case n.Key && n.Default != nil:
		index += "_" + outer
		w.over(index, of, func() { w.setDefault(n, of.itself()+"["+index+"]", index) })
	case !n.Key: // the values of maps cannot be changed
		w.setDefault(n, of.name, "")
		w.contents(n, of)
	}
}

// over writes a loop over the elements of a value.
func (w *writer) over(index string, of value, body func()) {
	name := of.name
	if of.pointer {
		name = "*" + name
	}
	w.Block("for "+index+" := range "+name, body)
}

// variable returns the name of a variable at a depth.
func variable(letters, beyond string, depth int) string {
	if depth < len(letters) {
		return letters[depth : depth+1]
	}
	return beyond + strconv.Itoa(depth)
}

// loop writes the loop over the elements of a slice. Nothing is written if the elements have no code.
func (w *writer) loop(n *model.DefaultNode, of value, index string) {
	of.pointer = of.pointer && !n.Array // pointers to arrays need no dereferencing
	elem := value{name: of.itself() + "[" + index + "]", depth: of.depth + 1, field: of.field}
	local := elem
	local.name, local.pointer = variable("abcdefgh", "local", of.depth), !n.Pointer
	inner := &writer{render.Statements{Indent: w.Indent + "\t"}}
	inner.setDefault(n, elem.name, "")
	inner.contents(n, local)
	if inner.Len() == 0 {
		return
	}
	w.over(index, of, func() {
		switch {
		case n.Only:
		case n.Pointer:
			w.Line(local.name, " := ", elem.name)
		default:
			w.Line(local.name, " := ", elem.address())
		}
		w.WriteString(inner.String())
	})
}

// contents writes the calls with a pointer to a value, and the code for its parts.
func (w *writer) contents(n *model.DefaultNode, of value) {
	for _, function := range n.Calls {
		w.Line(function, "(", of.address(), ")")
	}
	for _, child := range n.Children {
		w.node(child, of)
	}
}

// setDefault writes the code that sets a variable to its default if it has none. key is the variable with the key of a map.
func (w *writer) setDefault(n *model.DefaultNode, variable, key string) {
	d := n.Default
	switch {
	case d == nil:
	case d.Unmarshal != "":
		w.Block("if "+variable+" == nil", func() { w.decode(d, variable, key) })
	case len(d.Pointers) > 0:
		w.Block("if "+variable+" == nil", func() { w.pointers(d, variable) })
	case d.Reference:
		w.Block("if "+variable+" == "+d.Zero, func() { w.Line(variable, " = ", d.Type, "(", d.Value, ")") })
	default:
		w.Block("if "+variable+" == "+d.Zero, func() { w.Line(variable, " = ", d.Value) })
	}
}

// decode writes the code that decodes JSON. Values of maps have no address.
func (w *writer) decode(d *model.DefaultValue, variable, key string) {
	to, text := "&"+variable, "`"+d.Value+"`"
	if strings.Contains(d.Value, "`") {
		text = strconv.Quote(d.Value)
	}
	if key != "" {
		w.Line(key, "_default := ", variable)
		to = "&" + key + "_default"
	}
	w.Block("if err := "+d.Unmarshal+"([]byte("+text+"), "+to+"); err != nil", func() { w.Line("panic(err)") })
	if key != "" {
		w.Line(variable, " = ", key, "_default")
	}
}

// pointers writes the code that makes a chain of pointers to a default.
func (w *writer) pointers(d *model.DefaultValue, variable string) {
	name := func(i int) string { return "ptrVar" + strconv.Itoa(i) }
	last := len(d.Pointers)
	if d.Reference {
		w.Line(name(last), " := ", d.Pointers[last-1].Type, "(", d.Value, ")")
	} else {
		w.Line("var ", name(last), " ", d.Pointers[last-1].Type, " = ", d.Value)
	}
	for i := last; i > 0; i-- {
		to := name(i-1) + " := "
		if i == 1 {
			to = variable + " = "
		}
		if pointee := d.Pointers[i-1]; pointee.Converted {
			w.Line(to, "(*", pointee.Type, ")(&", name(i), ")")
		} else {
			w.Line(to, "&", name(i))
		}
	}
}
