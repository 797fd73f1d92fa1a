// Command cachemutation reports changes to objects in an informer's cache. It runs on its own or from go vet -vettool.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/informer-gen-lite/informer-gen-lite/cachemutation"
)

func main() { singlechecker.Main(cachemutation.Analyzer) }
