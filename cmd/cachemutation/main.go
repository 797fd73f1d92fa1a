// Command cachemutation reports changes of objects that belong to an informer's cache. It is run by itself or by go vet -vettool.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/informer-gen-lite/informer-gen-lite/cachemutation"
)

func main() { singlechecker.Main(cachemutation.Analyzer) }
