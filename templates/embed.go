// Package templates holds a template for every generated file that depends on the user's types; package emit holds the
// others. A template reads like the Go file that it makes, import block included; unused imports are dropped when it is
// rendered.
package templates

import "embed"

// FS holds the templates, in one folder per generator.
//
//go:embed */*.tmpl
var FS embed.FS
