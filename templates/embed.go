// Package templates holds the text of every file that is generated, one template each. A template reads like the Go
// file that it makes, import block included; imports that a file turns out not to need are dropped when it is rendered.
package templates

import "embed"

// FS holds the templates, in one folder per generator.
//
//go:embed */*.tmpl
var FS embed.FS
