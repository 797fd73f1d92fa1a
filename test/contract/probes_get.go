package contract

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// getAt returns a probe that gets a relay with a resource version.
func getAt(short, version string) Probe {
	return probe(short, func(p *P) {
		p.fresh(p.add("a").ResourceVersion)
		_, err := p.relays().Get(p.ctx, "a", metav1.GetOptions{ResourceVersion: version})
		p.err("get", err)
	})
}

// fresh waits until caches have reached a version, so that reads at version 0 find it.
func (p *P) fresh(version string) {
	_, err := p.relays().List(p.ctx, metav1.ListOptions{ResourceVersion: version, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan})
	p.must("wait for the cache", err)
}

var getProbes = group("get",
	probe("missing", func(p *P) {
		r, err := p.relays().Get(p.ctx, "a", get)
		p.err("get", err)
		p.show("object is nil", r == nil)
	}),
	probe("missing-empty-object", func(p *P) {
		r, err := p.relays().Get(p.ctx, "a", get)
		p.err("get", err)
		if r != nil {
			p.show("object is empty", r.Name == "" && r.UID == "")
		}
	}),
	probe("name-empty", func(p *P) {
		_, err := p.relays().Get(p.ctx, "", get)
		p.err("get", err)
	}),
	probe("name-invalid", func(p *P) {
		_, err := p.relays().Get(p.ctx, "A_b", get)
		p.err("get", err)
	}),
	probe("name-with-slash", func(p *P) {
		_, err := p.relays().Get(p.ctx, "a/b", get)
		p.err("get", err)
	}),
	probe("name-with-percent", func(p *P) {
		_, err := p.relays().Get(p.ctx, "a%b", get)
		p.err("get", err)
	}),
	probe("name-parent", func(p *P) {
		_, err := p.relays().Get(p.ctx, "..", get)
		p.err("get", err)
	}),
	getAt("version-zero", "0"),
	getAt("version-old", "1"),
	getAt("version-garbage", "x"),
	getAt("version-negative", "-1"),
	getAt("version-future", "999999999"),
	probe("version-of-write", func(p *P) {
		created := p.add("a")
		r, err := p.relays().Get(p.ctx, "a", metav1.GetOptions{ResourceVersion: created.ResourceVersion})
		p.err("get", err)
		p.show("same", equality.Semantic.DeepEqual(created, r))
	}),
	probe("version-is-not-exact", func(p *P) {
		created := p.add("a")
		after := p.edit("a", setMTU(9000))
		p.fresh(after.ResourceVersion)
		r, err := p.relays().Get(p.ctx, "a", metav1.GetOptions{ResourceVersion: created.ResourceVersion})
		p.must("get", err)
		p.show("spec", r.Spec)
	}),
	probe("missing-version-zero", func(p *P) {
		_, err := p.relays().Get(p.ctx, "a", metav1.GetOptions{ResourceVersion: "0"})
		p.err("get", err)
	}),
	probe("type-meta", func(p *P) {
		p.add("a")
		p.show("type", p.read("a").TypeMeta)
	}),
	probe("other-kind", func(p *P) {
		p.add("a")
		_, err := p.tunnels().Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	probe("other-namespace", func(p *P) {
		p.add("a")
		_, err := p.relaysIn(p.other).Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	probe("all-namespaces", func(p *P) {
		p.add("a")
		_, err := p.relaysIn("").Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	probe("same-object-twice", func(p *P) {
		p.add("a", labeled(map[string]string{"a": "b"}))
		first, second := p.read("a"), p.read("a")
		p.show("equal", equality.Semantic.DeepEqual(first, second))
		p.show("same pointer", first == second)
	}),
	probe("context-canceled", func(p *P) {
		p.add("a")
		ctx, cancel := context.WithCancel(p.ctx)
		cancel()
		_, err := p.relays().Get(ctx, "a", get)
		p.show("context.Canceled", errors.Is(err, context.Canceled))
	}),
)
