// Package templates holds the templates of generated files that depend on the user's types. Files that do not are in package
// emit.
//
// A template looks like the Go file that it generates, including the imports; unused imports are removed after rendering.
package templates

import "embed"

// FS holds the templates, in one folder per generator.
//
//go:embed */*.tmpl
var FS embed.FS
