package block

import informergen "github.com/informer-gen-lite/informer-gen-lite"

type (
	API  = informergen.API
	File = informergen.File
)

// The block shows the interface that the library has.
var (
	_ Generator             = informergen.Generator(nil)
	_ informergen.Generator = Generator(nil)
)

// BLOCK
