package resolve

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// candidate is a package with the outputs that its markers request.
type candidate struct {
	*source.Package
	clients bool
	// requested are the products that the package requests; versioned is true if one of them is about the version.
	requested []*source.InPackage
	versioned bool
	// omitted are the types that registrations leave out.
	omitted []string
}

// candidates reads the requests of all packages and checks the spelling of their markers. Packages with clients come first.
func (r *resolver) candidates() []candidate {
	var withClients, others []candidate
	for _, s := range r.all {
		s.WithRoots = r.opts.Roots
		var leftovers diag.List
		s.DropLeftovers(&leftovers)
		c := candidate{Package: s, clients: len(s.ClientTypes()) > 0}
		c.request(r.opts.InPackages, r.copies.IsObject)
		if c.clients || len(c.requested)+len(c.omitted) > 0 || s.DeclaresObjects() {
			r.diags = append(r.diags, leftovers...)
			r.check(s, s.CheckDeclarations)
		}
		r.noteOtherPrograms(s)
		omitted := lists.Map(c.omitted, func(name string) string { return s.Path + "." + name })
		r.result.Unregistered = append(r.result.Unregistered, omitted...)
		if c.clients {
			withClients = append(withClients, c)
		} else {
			others = append(others, c)
		}
	}
	return append(withClients, others...)
}

// request finds the products that the package requests.
func (c *candidate) request(all []*source.InPackage, objects source.Objects) {
	for _, p := range all {
		if p.Requested(c.Package, objects) {
			c.requested, c.versioned = append(c.requested, p), c.versioned || p.Versioned
		}
		if p.Omitted != nil {
			c.omitted = append(c.omitted, p.Omitted(c.Package, objects)...)
		}
	}
}

// resolve makes the requested products that are about the version of a candidate or, without a version, the other ones.
func (r *resolver) resolve(c candidate, version *model.Version, origin *Origin) {
	for _, p := range c.requested {
		if p.Resolve == nil || p.Versioned != (version != nil) {
			continue
		}
		in := source.Request{Package: c.Package, Version: version, Objects: r.copies.IsObject, Diags: &r.diags}
		p.Resolve(in, r.packageOf(c.Package))
		if p.Because != nil && origin != nil {
			origin.Facts.addMarker(p.Because(c.Package))
		}
	}
}
