package securemetrics

// IsAtLeastV0_1 is referred to by generated code that needs at least version 0.1 of this module. If a reference does not
// compile, the module is too old for it: run
//
//	go get github.com/informer-gen-lite/informer-gen-lite/runtime/securemetrics@latest
const IsAtLeastV0_1 = true
