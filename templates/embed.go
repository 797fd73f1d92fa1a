// Package templates holds the templates of generated files. Code that does not depend on the user's types is in the run-time library.
//
// A template looks like the Go file that it generates, including the imports; unused imports are removed after rendering.
package templates

import "embed"

// FS holds the templates, in one folder per generator.
//
//go:embed */*.tmpl
var FS embed.FS
