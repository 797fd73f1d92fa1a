package page

import (
	_ "embed"
	"html/template"
	"io"
	"sync"
)

//go:embed page.html.tmpl
var text string

var parsed = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{
		"ago": ago, "cause": cause, "condition": condition, "human": human, "ifReferred": ifReferred, "lists": lists,
		"namespaces": namespaces, "state": state,
	}).Parse(text)
})

// render writes the page. Of a problem, it has the sentence and the form, as the user filled it in.
func render(w io.Writer, a answer, p *problem) error {
	page, err := parsed()
	if err != nil {
		return err
	}
	data := struct {
		answer

		Object, Controller, Problem string
		Names                       []string
	}{answer: a, Object: a.asked.object, Controller: a.asked.controller, Names: a.names}
	if p != nil {
		data.Problem = p.text
	}
	return page.Execute(w, data)
}
