package model

import "slices"

// Shipped is the client of a kind that a module other than client-go ships.
type Shipped struct {
	// Clientset is the import path of the clientset, and Name what its module suggests as a name for it: "gatewayapi".
	Clientset, Name string
	// Group is the method of the clientset that returns the client of group and version: "GatewayV1". Version is the version in the API.
	Group, Version string
	// Verbs are those of the client.
	Verbs Verbs
	// Apply is the import path of the apply configuration; "" if the kind has none, or it cannot be extracted. Converter is the import path
	// of the package with the schema of all apply configurations; "" without a schema.
	Apply, Converter string
	// Fake is the constructor in the package fake of the clientset; "" without such a package.
	Fake string
}

// Shipped returns the first related kind of each clientset of another module.
func (c *Controller) Shipped() []Related {
	var first []Related
	for _, r := range c.Related() {
		known := func(o Related) bool { return o.Shipped.Clientset == r.Shipped.Clientset }
		if r.Shipped != nil && !slices.ContainsFunc(first, known) {
			first = append(first, r)
		}
	}
	return first
}
