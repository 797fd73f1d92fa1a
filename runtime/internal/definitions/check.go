package definitions

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

const (
	// period is the time between two reads of the index. A field is missing if two reads in a row say so.
	period = time.Minute
	// retry is the time between two attempts until the first one succeeds.
	retry = 5 * time.Second
	// timeout is how long a request may take.
	timeout = 30 * time.Second
)

// Check compares the definitions of the kinds of a factory of informers with the fields of their sources.
type Check struct {
	server server
	refuse bool

	lock sync.Mutex
	// all are in the order in which they were requested.
	all []*Definition

	// These are only used by Run: the hashes of the documents that were read last, and whether the log says that reading fails.
	hashes index
	failed bool
}

// Attach gives a factory a check, which reads from the API server of a configuration. If refuse is set, kinds that are reconciled or owned
// are refused until their definitions have all fields. Attach must be called before informers are requested.
func Attach(factory *informer.Factory, config *rest.Config, refuse bool) (*Check, error) {
	s, err := newServer(config)
	c := &Check{server: s, refuse: refuse, hashes: index{}}
	return c.Extend(factory), err
}

// Extend gives the check to another factory, too.
func (c *Check) Extend(factory *informer.Factory) *Check {
	return factory.Value((*Check)(nil), func() any { return c }).(*Check) // as it is under this key
}

// Of returns the definition of a kind that informers of a factory watch, or that a controller refers to, with the fields of its source.
// Written says that a controller reconciles or owns objects of the kind. Of returns nil if the factory has no check, or if the fields are
// not known.
func Of(factory *informer.Factory, resource schema.GroupVersionResource, fields string, written bool) *Definition {
	c, _ := factory.Value((*Check)(nil), nil).(*Check)
	if c == nil || fields == "" {
		return nil
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, d := range c.all {
		if d.resource == resource {
			d.written = d.written || written
			return d
		}
	}
	d := &Definition{check: c, resource: resource, fields: fields, written: written}
	c.all = append(c.all, d)
	return d
}

// State is a definition that lacks fields.
type State struct {
	Definition string `json:"definition"`
	// Written is set if objects of the kind are reconciled or owned, and not only referred to.
	Written bool `json:"written"`
	// MissingFields are the paths of the fields, in their order.
	MissingFields []string `json:"missingFields"`
}

// Describe returns the definitions that lack fields.
func (c *Check) Describe() (all []State) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, d := range c.all {
		if len(d.missing) > 0 {
			all = append(all, State{d.String(), d.written, d.missing})
		}
	}
	return all
}

func (c *Check) definitions() []*Definition {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Clone(c.all)
}

// Run compares until ctx is done. It returns at once if there is nothing to compare.
func (c *Check) Run(ctx context.Context) error {
	for all := c.definitions(); len(all) > 0; {
		c.compare(ctx, all)
		pause := period
		if c.failed && slices.ContainsFunc(all, func(d *Definition) bool { return d.noted.IsZero() }) {
			pause = retry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// compare reads changed documents, and notes the fields that they lack.
func (c *Check) compare(ctx context.Context, all []*Definition) {
	hashes, err := c.server.readIndex(ctx)
	compared := all
	switch {
	case apierrors.IsForbidden(err) || apierrors.IsNotFound(err): // nothing is known, so nothing is missing
		c.hashes = index{}
		for _, d := range all {
			d.found = nil
		}
	case err != nil:
		compared = nil
	default:
		compared, err = c.update(ctx, hashes, all)
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil && !c.failed {
		klog.FromContext(ctx).Info("Definitions in the cluster cannot be compared with the fields of this program", "err", err)
	}
	c.failed = err != nil
	c.note(ctx, compared)
}

// update reads the documents that have changed, and finds the fields that they lack. It returns the definitions for which that is known.
func (c *Check) update(ctx context.Context, hashes index, all []*Definition) (compared []*Definition, err error) {
	var errs []error
	read := map[string]*document{}
	for _, d := range all {
		path := pathOf(d.resource.GroupVersion())
		if _, tried := read[path]; !tried {
			read[path], err = c.changed(ctx, path, hashes)
			errs = append(errs, err)
		}
		switch document := read[path]; {
		case document != nil:
			d.found, d.known = missing(document, parse(d.fields), d.resource)
		case hashes[path] == "": // it could not be read
			continue
		}
		if d.known || !c.refuse {
			compared = append(compared, d)
		}
	}
	c.hashes = hashes
	return compared, errors.Join(errs...)
}

// changed returns a document if it has changed, or else nil. A document that is not served is empty. If it cannot be read, the index loses
// its hash, so that it is read again.
func (c *Check) changed(ctx context.Context, path string, hashes index) (*document, error) {
	hash, served := hashes[path]
	switch {
	case !served:
		return &document{}, nil
	case hash != "" && hash == c.hashes[path]:
		return nil, nil
	}
	d, err := c.server.readDocument(ctx, path, hash)
	if err != nil {
		delete(hashes, path)
		return nil, err
	}
	return d, nil
}

// pathOf returns the path of the document of a group's version in the index.
func pathOf(version schema.GroupVersion) string {
	if version.Group == "" {
		return "api/" + version.Version
	}
	return "apis/" + version.String()
}

// note concludes a comparison of the definitions for which the last one was long enough ago.
func (c *Check) note(ctx context.Context, compared []*Definition) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, d := range compared {
		if !d.noted.IsZero() && time.Since(d.noted) < period {
			continue
		}
		before := d.missing
		d.missing = slices.DeleteFunc(slices.Clone(d.found), func(path string) bool { return !slices.Contains(d.suspected, path) })
		d.suspected, d.noted = d.found, time.Now()
		if d.written && !slices.Equal(before, d.missing) {
			d.say(klog.FromContext(ctx))
		}
	}
}
