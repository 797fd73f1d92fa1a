package contract

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// MetadataClient is a clientset whose API also serves metadata alone.
type MetadataClient interface {
	Metadata() (metadata.Interface, error)
}

// BuiltInKinds is a clientset whose API also serves the kinds of Kubernetes.
type BuiltInKinds interface {
	BuiltIn() (kubernetes.Interface, error)
}

func badShardProbes() []Probe {
	const zero, half = "'0x0000000000000000'", "'0x8000000000000000'"
	shard := func(arguments ...string) string { return "shardRange(" + strings.Join(arguments, ", ") + ")" }
	return []Probe{
		badShard("blank", "  "),
		badShard("syntax", "shardRange("),
		badShard("other-keys", lowerHalf+" || "+strings.ReplaceAll(lowerHalf, "uid", "namespace")),
		badShard("field", shard("object.metadata.name", zero, half)),
		badShard("field-selector", shard("metadata.uid", zero, half)),
		badShard("leading-dot", shard(".object.metadata.uid", zero, half)),
		badShard("field-text", shard("'object.metadata.uid'", zero, half)),
		badShard("field-call", shard("f().uid", zero, half)),
		badShard("two-arguments", shard(byUID, zero)),
		badShard("four-arguments", shard(byUID, zero, half, half)),
		badShard("no-arguments", shard()),
		badShard("number", shard(byUID, "0", half)),
		badShard("number-as-end", shard(byUID, zero, "8")),
		badShard("identifier-as-start", shard(byUID, "zero", half)),
		badShard("call-as-end", shard(byUID, zero, "f()")),
		badShard("bool", shard(byUID, "true", half)),
		badShard("null", shard(byUID, "null", half)),
		badShard("no-prefix", shard(byUID, "'0000000000000000'", half)),
		badShard("only-prefix", shard(byUID, "'0x'", half)),
		badShard("short", shard(byUID, "'0x0'", half)),
		badShard("long", shard(byUID, zero, "'0x100000000000000000'")),
		badShard("seventeen-digits", shard(byUID, zero, "'0x10000000000000001'")),
		badShard("capitals", shard(byUID, zero, "'0x800000000000000A'")),
		badShard("not-hexadecimal", shard(byUID, zero, "'0x800000000000000g'")),
		badShard("empty-range", shard(byUID, half, half)),
		badShard("backwards", shard(byUID, half, zero)),
		badShard("start-at-the-end", shard(byUID, "'0x10000000000000000'", "'0x10000000000000000'")),
		badShard("and", lowerHalf+" && "+lowerHalf),
		badShard("other-expression", "object.metadata.uid > '0x0'"),
		badShard("other-function", strings.Replace(lowerHalf, "shardRange", "shard", 1)),
		badShard("function-with-dot", "."+lowerHalf),
		badShard("only-identifier", "object"),
		badShard("only-field", "object.metadata.uid"),
		badShard("only-text", "'a'"),
		mistakes("label", metav1.ListOptions{LabelSelector: "a b=c"}),
		mistakes("field", metav1.ListOptions{FieldSelector: "spec.mtu=1400"}),
		mistakes("options", metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchExact}),
		mistakes("version", metav1.ListOptions{ResourceVersion: "x"}),
		mistakes("continue", metav1.ListOptions{Limit: 1, Continue: "!"}),
	}
}

var watchShardProbes = []Probe{
	probe("watch", func(p *P) {
		w := p.watch(metav1.ListOptions{ShardSelector: p.addShard()})
		w.nextN(3)
		p.changeAll()
		w.detail = showRelay
		w.nextN(4)
	}),
	probe("watch-from-version", func(p *P) {
		w := p.since(metav1.ListOptions{ShardSelector: p.addShard()})
		p.changeAll()
		w.nextN(4)
	}),
	probe("watch-from-old-version", func(p *P) {
		selector, version := p.addShard(), p.version()
		p.changeAll()
		w := p.watch(metav1.ListOptions{ShardSelector: selector, ResourceVersion: version})
		w.nextN(4)
	}),
	probe("watch-label", func(p *P) {
		w := p.watch(metav1.ListOptions{ShardSelector: p.addShard(), LabelSelector: "odd"})
		w.nextN(2)
		p.edit("r0", labeled(map[string]string{"odd": "now"}))
		p.edit("r4", labeled(map[string]string{"odd": "now"}))
		p.edit("r1", labeled(nil))
		w.nextN(2)
	}),
	probe("watch-name", func(p *P) {
		w := p.watch(metav1.ListOptions{ShardSelector: p.addShard(), FieldSelector: "metadata.name=r1"})
		w.next()
		p.edit("r1", setMTU(9000))
		w.next()
	}),
	probe("watch-new-objects", func(p *P) {
		w := p.since(metav1.ListOptions{ShardSelector: lowerHalf})
		p.printf("delivered: %s", p.addToHalves(w))
	}),
	probe("watch-list", func(p *P) {
		w := p.watch(metav1.ListOptions{
			ShardSelector: p.addShard(), SendInitialEvents: new(true), AllowWatchBookmarks: true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
		w.nextN(4)
		p.changeAll()
		w.nextN(4)
	}),
	probe("watch-list-of-nothing", func(p *P) {
		p.addFive()
		w := p.watch(metav1.ListOptions{
			ShardSelector: almostNothing, SendInitialEvents: new(true), AllowWatchBookmarks: true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
		w.next()
	}),
	probe("watch-bookmarks", func(p *P) {
		created := p.add("a")
		w := p.watch(metav1.ListOptions{
			ShardSelector: almostNothing, ResourceVersion: created.ResourceVersion, TimeoutSeconds: new(int64(3)), AllowWatchBookmarks: true,
		})
		w.bookmarks = true
		p.add("b")
		if event := w.next(); event.Object != nil {
			p.printf("version: %s", compare(created.ResourceVersion, relayOf(event).ResourceVersion))
		}
	}),
	probe("watch-by-namespace", func(p *P) {
		w, err := p.relaysIn("").Watch(p.ctx, metav1.ListOptions{
			ResourceVersion: p.version(), LabelSelector: "run=" + p.id, ShardSelector: shardOf(byNamespace, p.other),
		})
		s := p.follow("watch", w, err)
		run := labeled(map[string]string{"run": p.id})
		p.add("a", run)
		_, err = p.relaysIn(p.other).Create(p.ctx, relay("b", run), create)
		p.must("create", err)
		s.next()
	}),
}

// changeAll edits the five relays in turn, and deletes r0 and r1.
func (p *P) changeAll() {
	for i := range 5 {
		p.edit(fmt.Sprintf("r%d", i), setMTU(9000))
	}
	p.drop("r0")
	p.drop("r1")
}

// addToHalves creates relays until the upper half has one, and then the lower half. It says whether a watch delivers the lower half, and
// nothing else.
func (p *P) addToHalves(w *stream) string {
	hasUpper, isLower := false, false
	for i := 0; !hasUpper || !isLower; i++ {
		created := p.add(fmt.Sprintf("n%d", i))
		if isLower = sharding.HashField(string(created.UID)) < "8"; !isLower {
			hasUpper = true
			continue
		}
		event, missing := w.receive()
		if missing != "" || relayOf(event).Name != created.Name {
			return "not only the lower half " + missing
		}
	}
	return "the lower half"
}

var otherShardProbes = []Probe{
	probe("deletecollection", func(p *P) {
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, metav1.ListOptions{ShardSelector: p.addShard()}))
		p.survivors()
	}),
	probe("deletecollection-dry-run", func(p *P) {
		dry := metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, dry, metav1.ListOptions{ShardSelector: p.addShard()}))
		p.survivors()
	}),
	probe("deletecollection-label", func(p *P) {
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, metav1.ListOptions{
			ShardSelector: p.addShard(), LabelSelector: "odd",
		}))
		p.survivors()
	}),
	probe("deletecollection-limit", func(p *P) {
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, metav1.ListOptions{ShardSelector: p.addShard(), Limit: 2}))
		p.survivors()
	}),
	probe("dynamic", func(p *P) {
		selector := p.addShard()
		client := p.untyped().Resource(relayResource).Namespace(p.namespace)
		list, err := client.List(p.ctx, metav1.ListOptions{ShardSelector: selector})
		p.must("list", err)
		p.showUntyped(list, selector)
		p.printf("remaining=%s continue=%s", optional(list.GetRemainingItemCount()), set(list.GetContinue()))
		w, err := client.Watch(p.ctx, metav1.ListOptions{ShardSelector: selector})
		p.follow("watch", w, err).nextN(3)
	}),
	probe("metadata", func(p *P) { p.showMetadata(relayResource, p.addShard()) }),
	probe("metadata-watch", func(p *P) {
		w, err := p.metadata(relayResource).Watch(p.ctx, metav1.ListOptions{ShardSelector: p.addShard()})
		p.follow("watch", w, err).nextN(3)
	}),
	probe("metadata-deletecollection", func(p *P) {
		selector := p.addShard()
		p.err("delete collection", p.metadata(relayResource).DeleteCollection(p.ctx, remove, metav1.ListOptions{ShardSelector: selector}))
		p.survivors()
	}),
	probe("built-in", func(p *P) {
		client, selector := p.addSecrets()
		list, err := client.CoreV1().Secrets(p.namespace).List(p.ctx, metav1.ListOptions{ShardSelector: selector})
		p.must("list", err)
		for i := range list.Items {
			p.printf("%s", list.Items[i].Name)
		}
		p.printf("shard: %s", describeShard(list.ShardInfo, selector))
		w, err := client.CoreV1().Secrets(p.namespace).Watch(p.ctx, metav1.ListOptions{ShardSelector: selector})
		s := p.follow("watch", w, err)
		s.next()
		p.must("delete a", client.CoreV1().Secrets(p.namespace).Delete(p.ctx, "a", remove))
		p.must("delete b", client.CoreV1().Secrets(p.namespace).Delete(p.ctx, "b", remove))
		s.next()
	}),
	probe("built-in-bad", func(p *P) {
		client, _ := p.addSecrets()
		_, err := client.CoreV1().Secrets(p.namespace).List(p.ctx, metav1.ListOptions{ShardSelector: "shardRange()"})
		p.err("list", err)
	}),
	probe("built-in-deletecollection", func(p *P) {
		client, selector := p.addSecrets()
		err := client.CoreV1().Secrets(p.namespace).DeleteCollection(p.ctx, remove, metav1.ListOptions{ShardSelector: selector})
		p.err("delete collection", err)
		_, err = client.CoreV1().Secrets(p.namespace).Get(p.ctx, "a", get)
		p.err("get a", err)
		_, err = client.CoreV1().Secrets(p.namespace).Get(p.ctx, "b", get)
		p.err("get b", err)
	}),
	probe("built-in-metadata", func(p *P) {
		_, selector := p.addSecrets()
		p.showMetadata(secretResource, selector)
	}),
	probe("built-in-dynamic", func(p *P) {
		_, selector := p.addSecrets()
		list, err := p.untyped().Resource(secretResource).Namespace(p.namespace).List(p.ctx, metav1.ListOptions{ShardSelector: selector})
		p.must("list", err)
		p.showUntyped(list, selector)
	}),
}

var (
	relayResource  = edgev1alpha1.GroupVersion.WithResource("relays")
	secretResource = corev1.SchemeGroupVersion.WithResource("secrets")
)

// needs ends the probe if the clientset lacks a client.
func (p *P) needs(client bool) {
	if !client {
		p.printf("the clientset has no such client")
		p.abort()
	}
}

// builtIn returns the client for the kinds of Kubernetes, or ends the probe.
func (p *P) builtIn() kubernetes.Interface {
	of, ok := p.client.(BuiltInKinds)
	p.needs(ok)
	client, err := of.BuiltIn()
	p.must("client", err)
	return client
}

// addSecrets creates two objects of a built-in kind, and returns a selector of the second.
func (p *P) addSecrets() (client kubernetes.Interface, selector string) {
	client = p.builtIn()
	for _, name := range []string{"a", "b"} {
		sent := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}}
		created, err := client.CoreV1().Secrets(p.namespace).Create(p.ctx, sent, create)
		p.must("create", err)
		selector = shardOf(byUID, string(created.UID))
	}
	return client, selector
}

// metadata returns the client for the metadata of a resource, or ends the probe.
func (p *P) metadata(resource schema.GroupVersionResource) metadata.ResourceInterface {
	of, ok := p.client.(MetadataClient)
	p.needs(ok)
	client, err := of.Metadata()
	p.must("client", err)
	return client.Resource(resource).Namespace(p.namespace)
}

// showMetadata records a list of metadata.
func (p *P) showMetadata(resource schema.GroupVersionResource, selector string) {
	list, err := p.metadata(resource).List(p.ctx, metav1.ListOptions{ShardSelector: selector})
	p.must("list", err)
	for i := range list.Items {
		p.printf("%s", list.Items[i].Name)
	}
	p.printf("shard: %s", describeShard(list.ShardInfo, selector))
}

// showUntyped records a list without Go types.
func (p *P) showUntyped(list *unstructured.UnstructuredList, selector string) {
	for i := range list.Items {
		p.printf("%s", list.Items[i].GetName())
	}
	switch text, found, _ := unstructured.NestedString(list.Object, "metadata", "shardInfo", "selector"); {
	case !found:
		p.printf("shard: none")
	case text == selector:
		p.printf("shard: as requested")
	default:
		p.printf("shard: %s", text)
	}
}
