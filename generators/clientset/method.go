package clientset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// methodView is the template data of a custom method.
type methodView struct {
	model.Method
	kind kindView
	// declared is true in the interface.
	declared bool
}

// Declared returns the method for the interface. As in code-generator, parameters and results have other names there.
func (m methodView) Declared() methodView {
	m.declared = true
	return m
}

// GetOptions returns the name of the parameter of methods that get an object.
func (m methodView) GetOptions() string {
	if m.declared && m.Subresource == "" {
		return "opts"
	}
	return "options"
}

// Results returns the results in parentheses.
func (m methodView) Results() string {
	if m.declared && m.Verb != model.Patch && (m.Verb != model.Apply || m.Subresource != "") {
		return "(*" + m.ResultType() + ", error)"
	}
	return "(result *" + m.ResultType() + ", err error)"
}

// ResultType returns the Go type of the result, without the asterisk.
func (m methodView) ResultType() string {
	t := m.kind.goType(m.Result)
	if m.Verb == model.List {
		return t + "List"
	}
	return t
}

// InputType returns the Go type of the request body, without the asterisk.
func (m methodView) InputType() string {
	if m.Verb == model.Apply {
		return m.kind.applyType(m.Input)
	}
	return m.kind.goType(m.Input)
}

// InputParam returns the name of the parameter that is sent.
func (m methodView) InputParam() string {
	return m.kind.param(m.Input.Name, func(name string) bool { return m.Subresource != "" && name == m.NameParam() })
}

// NameParam returns the name of the parameter that names the object.
func (m methodView) NameParam() string {
	if m.Subresource == "" {
		return "name"
	}
	name := m.kind.Private() + "Name"
	return goname.Unless(name, name+"Param", m.kind.imports.Uses)
}

// NameExpr returns the expression for the name in the request's path; "" if the path has none.
func (m methodView) NameExpr() string {
	switch {
	case m.Verb == model.Patch, m.Verb == model.Get && m.Subresource == "":
		return "name"
	case m.Subresource != "":
		return m.NameParam()
	case m.Verb == model.Update:
		return m.InputName()
	case m.Verb == model.Apply:
		return "*name"
	}
	return ""
}

// Options returns the type of the options of a method that sends an object.
func (m methodView) Options() string { return goname.UpperFirst(string(m.Verb)) + "Options" }

// Request returns the expression that begins the request.
func (m methodView) Request() string {
	switch m.Verb {
	case model.Create:
		return "c.GetClient().Post()"
	case model.Update:
		return "c.GetClient().Put()"
	case model.Patch:
		return "c.GetClient().Patch(pt)"
	case model.Apply:
		return "request"
	}
	return "c.GetClient().Get()"
}

// SubresourceArgs returns the subresource as arguments of a call, one for each segment of its path.
func (m methodView) SubresourceArgs() string {
	segments := strings.Split(m.Subresource, "/")
	for i, segment := range segments {
		segments[i] = strconv.Quote(segment)
	}
	return strings.Join(segments, ", ")
}

// InputName returns the expression for the name of the object that is sent.
func (m methodView) InputName() string {
	if m.kind.HidesName && m.Input == m.kind.self() {
		return m.InputParam() + ".GetName()"
	}
	return m.InputParam() + ".Name"
}

// Doc returns the doc comment of the method: one sentence.
func (m methodView) Doc() string {
	of := "of the named " + m.kind.Name()
	switch m.Verb {
	case model.Create, model.Update:
		if m.Subresource == "" {
			return fmt.Sprintf("%s %ss the %s and returns the server's response.", m.Name, m.Verb, m.Input.Name)
		}
		return fmt.Sprintf("%s %ss the subresource %s %s and returns the server's response.", m.Name, m.Verb, m.Subresource, of)
	case model.Apply:
		if m.Subresource == "" {
			return fmt.Sprintf("%s performs a server-side apply and returns the resulting %s.", m.Name, m.Result.Name)
		}
		return fmt.Sprintf("%s performs a server-side apply of the subresource %s %s.", m.Name, m.Subresource, of)
	case model.Patch:
		return fmt.Sprintf("%s patches the named %s and returns the resulting %s.", m.Name, m.kind.Name(), m.Result.Name)
	case model.List:
		if m.Subresource == "" {
			return fmt.Sprintf("%s returns the items that match the selectors.", m.Name)
		}
		return fmt.Sprintf("%s returns the items in the subresource %s %s.", m.Name, m.Subresource, of)
	}
	if m.Subresource == "" {
		return fmt.Sprintf("%s returns the named %s.", m.Name, m.Result.Name)
	}
	return fmt.Sprintf("%s returns the subresource %s %s.", m.Name, m.Subresource, of)
}

// Unsure reports whether a fake's tracker may return an object of another type.
func (m methodView) Unsure() bool {
	return hasOtherTypes(m.kind.Kind, m.Method) && sharesAction(m.kind.Kind, m.Method)
}

// Expected returns the expression for the object that a fake client expects: where code-generator creates one, it does, too.
func (m methodView) Expected() string {
	if m.Verb == model.Update && m.Subresource != "" && m.kind.Namespaced {
		return "&" + m.InputType() + "{}"
	}
	return "emptyResult"
}

// Action returns the expression for the action that a fake client records. Its constructors differ in name and
// argument order.
func (m methodView) Action() string {
	root, namespace := "Root", ""
	if m.kind.Namespaced {
		root, namespace = "", "c.Namespace(), "
	}
	input, subresource := m.InputParam(), strconv.Quote(m.Subresource)
	switch m.Verb {
	case model.Apply:
		name := m.NameExpr()
		if m.Subresource != "" {
			subresource = ", " + m.SubresourceArgs()
		} else {
			subresource = ""
		}
		return fmt.Sprintf("testing.New%sPatchSubresourceActionWithOptions(c.Resource(), %s%s, "+
			"types.ApplyPatchType, data, opts.ToPatchOptions()%s)",
			root, namespace, name, subresource)
	case model.Patch:
		return fmt.Sprintf("testing.New%sPatchSubresourceActionWithOptions(c.Resource(), %sname, pt, data, opts, subresources...)",
			root, namespace)
	case model.List:
		return fmt.Sprintf("testing.New%sListActionWithOptions(c.Resource(), c.Kind(), %sopts)",
			root, namespace)
	}
	verb := goname.UpperFirst(string(m.Verb))
	switch {
	case m.Subresource == "" && m.Verb == model.Get:
		return fmt.Sprintf("testing.New%sGetActionWithOptions(c.Resource(), %sname, options)",
			root, namespace)
	case m.Subresource == "":
		return fmt.Sprintf("testing.New%s%sActionWithOptions(c.Resource(), %s%s, opts)",
			root, verb, namespace, input)
	case m.Verb == model.Get:
		return fmt.Sprintf("testing.New%sGetSubresourceActionWithOptions(c.Resource(), %s%s, %s, options)",
			root, namespace, subresource, m.NameParam())
	case m.Verb == model.Create:
		return fmt.Sprintf("testing.New%sCreateSubresourceActionWithOptions(c.Resource(), %s, %s, %s%s, opts)",
			root, m.NameParam(), subresource, namespace, input)
	}
	return fmt.Sprintf("testing.New%sUpdateSubresourceActionWithOptions(c.Resource(), %s, %s%s, opts)",
		root, subresource, namespace, input)
}
