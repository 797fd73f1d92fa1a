package strictfake

// IsAtLeastV0_1 is true if the library has what code generated for v0.1 of it needs. Generated code refers to it. If it does not
// compile because this constant is missing, the library is older than the generator: run
//
//	go get github.com/informer-gen-lite/informer-gen-lite/runtime@latest
const IsAtLeastV0_1 = true
