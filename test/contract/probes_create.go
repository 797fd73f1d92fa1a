package contract

import (
	"context"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// tryCreate creates a relay, and records the error and the resulting name.
func (p *P) tryCreate(label string, r *edgev1alpha1.Relay, options metav1.CreateOptions) *edgev1alpha1.Relay {
	created, err := p.relays().Create(p.ctx, r, options)
	if !p.err(label, err) {
		return nil
	}
	return created
}

// createNamed returns a probe that creates a relay with the given name.
func createNamed(short, name string) Probe {
	return probe(short, func(p *P) {
		if created := p.tryCreate("create", relay(name), create); created != nil {
			p.printf("name of %d characters: %s", len(created.Name), short)
		}
	})
}

var createProbes = group("create",
	probe("answer", func(p *P) {
		created := p.tryCreate("create", relay("a"), create)
		p.showMeta("answer", created)
		p.show("namespace", created.Namespace == p.namespace)
		p.show("spec", created.Spec)
		p.show("status", created.Status)
	}),
	probe("stored", func(p *P) {
		created := p.add("a", labeled(map[string]string{"a": "b"}))
		p.show("get returns the answer", equality.Semantic.DeepEqual(created, p.read("a")))
	}),
	probe("type-meta", func(p *P) {
		sent := relay("a")
		sent.TypeMeta = metav1.TypeMeta{Kind: "Relay", APIVersion: edgev1alpha1.GroupVersion.String()}
		p.show("answer", p.tryCreate("create", sent, create).TypeMeta)
	}),
	probe("type-meta-wrong", func(p *P) {
		sent := relay("a")
		sent.TypeMeta = metav1.TypeMeta{Kind: "Tunnel", APIVersion: "example.com/v9"}
		p.tryCreate("create", sent, create)
	}),
	probe("argument-unchanged", func(p *P) {
		sent := relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = "a-" })
		before := sent.DeepCopy()
		p.tryCreate("create", sent, create)
		p.show("unchanged", equality.Semantic.DeepEqual(before, sent))
	}),
	probe("argument-not-shared", func(p *P) {
		sent := relay("a", labeled(map[string]string{"a": "b"}))
		p.tryCreate("create", sent, create)
		sent.Labels["a"] = "changed"
		p.show("labels", p.read("a").Labels)
	}),
	probe("answer-not-shared", func(p *P) {
		p.add("a", labeled(map[string]string{"a": "b"})).Labels["a"] = "changed"
		p.read("a").Labels["a"] = "changed"
		p.show("labels", p.read("a").Labels)
	}),
	probe("version-increases", func(p *P) {
		a, b := p.add("a"), p.add("b")
		p.printf("second: %s", compare(a.ResourceVersion, b.ResourceVersion))
	}),
	probe("uids-differ", func(p *P) { p.show("equal", p.add("a").UID == p.add("b").UID) }),
	probe("uid-of-same-name-differs", func(p *P) {
		before := p.add("a").UID
		p.drop("a")
		p.show("equal", before == p.add("a").UID)
	}),
	createNamed("name-missing", ""),
	createNamed("name-upper-case", "Web"),
	createNamed("name-underscore", "a_b"),
	createNamed("name-dots", "a.b.c"),
	createNamed("name-dot-at-end", "a."),
	createNamed("name-slash", "a/b"),
	createNamed("name-parent", ".."),
	createNamed("name-percent", "a%b"),
	createNamed("name-digits", "123"),
	createNamed("name-253", strings.Repeat("a", 253)),
	createNamed("name-254", strings.Repeat("a", 254)),
	probe("generate-name", func(p *P) {
		sent := relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = "web-" })
		first, second := p.tryCreate("create", sent, create), p.tryCreate("create", sent, create)
		for _, created := range []*edgev1alpha1.Relay{first, second} {
			p.printf("prefix=%t length=%d generateName=%s", strings.HasPrefix(created.Name, "web-"), len(created.Name), created.GenerateName)
		}
		p.show("equal", first.Name == second.Name)
	}),
	probe("generate-name-unused", func(p *P) {
		created := p.tryCreate("create", relay("a", func(r *edgev1alpha1.Relay) { r.GenerateName = "web-" }), create)
		p.printf("name=%s generateName=%s", created.Name, created.GenerateName)
	}),
	probe("generate-name-invalid", func(p *P) {
		// The random end of the name is part of the message.
		_, err := p.relays().Create(p.ctx, relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = "Web_" }), create)
		text, _, _ := strings.Cut(describe(err), "Web_")
		p.printf("create: %s…", text)
	}),
	probe("generate-name-long", func(p *P) {
		// The message contains the generated name.
		_, err := p.relays().Create(p.ctx, relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = strings.Repeat("a", 300) }), create)
		_, problem, _ := strings.Cut(describe(err), "is invalid: metadata.")
		p.printf("create: %.30s", problem)
	}),
	probe("duplicate", func(p *P) {
		created := p.add("a")
		p.tryCreate("again", relay("a", func(r *edgev1alpha1.Relay) { r.Spec.MTU = 9000 }), create)
		p.printf("version: %s", compare(created.ResourceVersion, p.read("a").ResourceVersion))
		p.show("spec", p.read("a").Spec)
	}),
	probe("duplicate-invalid", func(p *P) {
		p.add("a")
		p.tryCreate("again", relay("a", labeled(map[string]string{"-": "-"})), create)
	}),
	probe("duplicate-terminating", func(p *P) {
		p.add("a", finalized(finalizer))
		p.drop("a")
		p.tryCreate("again", relay("a"), create)
	}),
	probe("after-delete", func(p *P) {
		before := p.add("a", func(r *edgev1alpha1.Relay) { r.Spec.Contacts = []string{"x"} })
		p.drop("a")
		after := p.add("a")
		p.printf("version: %s", compare(before.ResourceVersion, after.ResourceVersion))
		p.show("contacts", after.Spec.Contacts)
		p.show("generation", after.Generation)
	}),
	probe("same-name-other-kind", func(p *P) {
		p.add("a")
		_, err := p.tunnels().Create(p.ctx, tunnel("a"), create)
		p.err("create", err)
	}),
	probe("dry-run", func(p *P) {
		p.inhabit()
		created := p.tryCreate("create", relay("a"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		p.showMeta("answer", created)
		p.exists("a")
	}),
	probe("dry-run-generate-name", func(p *P) {
		p.inhabit()
		sent := relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = "web-" })
		created := p.tryCreate("create", sent, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		p.show("named", created.Name != "")
		list, err := p.relays().List(p.ctx, all)
		p.must("list", err)
		p.show("items", len(list.Items))
	}),
	probe("dry-run-duplicate", func(p *P) {
		p.add("a")
		p.tryCreate("again", relay("a"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	}),
	probe("dry-run-invalid-object", func(p *P) {
		p.inhabit()
		p.tryCreate("create", relay("A"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	}),
	probe("dry-run-unknown", func(p *P) {
		p.tryCreate("create", relay("a"), metav1.CreateOptions{DryRun: []string{"x"}})
		p.exists("a")
	}),
	probe("dry-run-twice", func(p *P) {
		p.inhabit()
		p.tryCreate("create", relay("a"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll, metav1.DryRunAll}})
	}),
	probe("field-validation-unknown", func(p *P) {
		p.tryCreate("create", relay("a"), metav1.CreateOptions{FieldValidation: "Sometimes"})
	}),
	probe("field-manager-long", func(p *P) {
		p.tryCreate("create", relay("a"), metav1.CreateOptions{FieldManager: strings.Repeat("m", 129)})
	}),
	probe("field-manager-unprintable", func(p *P) {
		p.tryCreate("create", relay("a"), metav1.CreateOptions{FieldManager: "a\u0007b"})
	}),
	probe("context-canceled", func(p *P) {
		ctx, cancel := context.WithCancel(p.ctx)
		cancel()
		_, err := p.relays().Create(ctx, relay("a"), create)
		p.show("context.Canceled", errors.Is(err, context.Canceled))
		p.exists("a")
	}),
)
