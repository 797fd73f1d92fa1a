#!/usr/bin/env bash
# go/types, Go 1.26 and 1.27
#
# Guess:   a struct that embeds a type which does not exist implements an interface only by methods that can be seen.
# Seen:    types.Implements says that it implements every interface, and a tool that asks so whether a type has MarshalJSON believes it.
# So:      look for the method itself in code that may not compile, or for errors of the type checker first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26
GO
cat >main.go <<'GO'
package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
)

const source = `package p

import "time"

type Whole struct{ time.Month }
type Broken struct{ time.Missing }

type Needed interface{ NobodyHasThis(int) error }
`

func main() {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		panic(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	p, _ := config.Check("p", fset, []*ast.File{file}, nil)
	needed := p.Scope().Lookup("Needed").Type().Underlying().(*types.Interface)
	for _, name := range []string{"Whole", "Broken"} {
		fmt.Println(name, types.Implements(p.Scope().Lookup(name).Type(), needed))
	}
}
GO
go version
seen=$(go run .)
echo "$seen"
[ "$seen" = $'Whole false\nBroken true' ]
