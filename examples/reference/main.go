// Command reference runs informer-gen-lite with a custom generator that writes a Markdown page for each kind.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path"
	"strings"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

// reference is a generator of API reference pages.
type reference struct{}

// Name implements informergen.Generator.
func (reference) Name() string { return "reference" }

// Dir implements informergen.Generator.
func (reference) Dir() string { return "reference" }

// Generate implements informergen.Generator.
func (reference) Generate(api *informergen.API) ([]informergen.File, error) {
	var files []informergen.File
	for _, group := range api.Groups {
		for _, version := range group.Versions {
			for _, kind := range version.Kinds {
				var page bytes.Buffer
				fmt.Fprintf(&page, "# %s\n\n%s\n\n| | |\n|---|---|\n", kind.Name, kind.Doc)
				fmt.Fprintf(&page, "| API | `%s` |\n", path.Join(group.Name, version.Name))
				for _, fact := range kind.Facts {
					fmt.Fprintf(&page, "| %s | %s |\n", fact.Name, fact.Value)
				}
				fmt.Fprint(&page, "\n| field | type | |\n|---|---|---|\n")
				writeFields(&page, "", kind.Fields)
				name := path.Join(group.GoName, version.Name, kind.Name+".md")
				files = append(files, informergen.File{Path: strings.ToLower(name), Content: page.Bytes()})
			}
		}
	}
	return files, nil
}

// writeFields writes a row for each field below a path in JSON.
func writeFields(page *bytes.Buffer, parent string, fields []informergen.Field) {
	for _, field := range fields {
		if field.Inline {
			writeFields(page, parent, field.Fields)
			continue
		}
		if field.JSONName == "" {
			continue // not serialized
		}
		about := strings.Fields(field.Doc)
		if field.Optional {
			about = append(about, "Optional.")
		}
		for _, marker := range field.Markers {
			if rule, ok := strings.CutPrefix(marker.Name, "kubebuilder:validation:"); ok {
				about = append(about, rule, marker.Value+".")
			}
		}
		name := parent + field.JSONName
		fmt.Fprintf(page, "| %s | `%s` | %s |\n", name, field.Type, strings.Join(about, " "))
		writeFields(page, name+".", field.Fields)
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cfg := informergen.Config{Packages: os.Args[1:], Generators: []informergen.Generator{reference{}}}
	result, err := informergen.Generate(ctx, cfg)
	if err == nil {
		err = result.Write(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
