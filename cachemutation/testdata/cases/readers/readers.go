// Package readers calls functions that are called as functions of the library are.
package readers

import "github.com/informer-gen-lite/informer-gen-lite/cachemutation/testdata/cases/reader"

func change() {
	reader.Sorted(reader.PodLister{})[0].Name = "mine"
}
