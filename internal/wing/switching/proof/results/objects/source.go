package objects

import "embed"

// Source is the source of this package, without this file.
//
//go:embed objects.go fill.go dump.go
var Source embed.FS
