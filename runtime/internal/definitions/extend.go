package definitions

import "github.com/informer-gen-lite/informer-gen-lite/runtime/informer"

// Extend compares the kinds of another factory, too.
func (c *Check) Extend(factory *informer.Factory) { factory.Value(key{}, func() any { return c }) }
