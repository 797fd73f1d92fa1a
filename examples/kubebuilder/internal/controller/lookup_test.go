package controller

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	webappv1 "example.com/guestbook/api/v1"
	"example.com/guestbook/pkg/generated/clientset/versioned/fake"
	"example.com/guestbook/pkg/generated/informers/externalversions"
	listers "example.com/guestbook/pkg/generated/listers/api/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func book(namespace, name string, guests ...string) *webappv1.Guestbook {
	b := &webappv1.Guestbook{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	for _, guest := range guests {
		b.Spec.Entries = append(b.Spec.Entries, webappv1.Entry{Guest: guest})
	}
	return b
}

// found returns the names of found books.
func found(t *testing.T, books []*webappv1.Guestbook, err error) []string {
	t.Helper()
	require.NoError(t, err)
	names := []string{}
	for _, b := range books {
		names = append(names, b.Namespace+"/"+b.Name)
	}
	return names
}

// factories return the indexer of a started informer.
var factories = map[string]func(t *testing.T, client *fake.Clientset) cache.Indexer{
	"NewSharedInformerFactory": func(t *testing.T, client *fake.Clientset) cache.Indexer {
		factory := externalversions.NewSharedInformerFactory(client, 0)
		informer := factory.Webapp().V1().Guestbooks().Informer()
		factory.StartWithContext(t.Context())
		require.NoError(t, factory.WaitForCacheSyncWithContext(t.Context()).AsError())
		return informer.GetIndexer()
	},
	"New": func(t *testing.T, client *fake.Clientset) cache.Indexer {
		factory, err := externalversions.New(client)
		require.NoError(t, err)
		informer := factory.Webapp().V1().Guestbooks().Informer()
		factory.StartWithContext(t.Context())
		require.NoError(t, factory.WaitForSync(t.Context()))
		return informer.GetIndexer()
	},
}

// TestLookups covers the lookups that the markers of the type declare.
func TestLookups(t *testing.T) {
	labeled := book("inn", "labeled")
	labeled.Labels = map[string]string{"season": ""}
	labeled.OwnerReferences = []metav1.OwnerReference{{UID: "u1"}, {UID: "u2"}}
	five := int32(5)
	sized := book("bar", "sized", "ann", "ann")
	sized.Spec.Capacity = &five
	for name, start := range factories {
		t.Run(name, func(t *testing.T) {
			indexer := start(t, fake.NewClientset(book("inn", "visitors", "ann", "bob"), labeled, sized))
			books, err := listers.GuestbookByGuest.Get(indexer, "ann")
			assert.ElementsMatch(t, []string{"bar/sized", "inn/visitors"}, found(t, books, err))
			books, err = listers.GuestbookByGuest.In(indexer, "inn", "ann")
			assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
			books, err = listers.GuestbookByGuest.Get(indexer, "")
			assert.Empty(t, found(t, books, err), "an empty list has no values")

			books, err = listers.GuestbookByCapacity.Get(indexer, 5)
			assert.Equal(t, []string{"bar/sized"}, found(t, books, err))
			books, err = listers.GuestbookByCapacity.In(indexer, "inn", 5)
			assert.Empty(t, found(t, books, err))
			books, err = listers.GuestbookByCapacity.Get(indexer, 0)
			assert.Empty(t, found(t, books, err), "nil is not zero")

			books, err = listers.GuestbookBySeasonLabel.Get(indexer, "")
			assert.Equal(t, []string{"inn/labeled"}, found(t, books, err), "an empty label has a value, a missing label has none")
			books, err = listers.GuestbookByOwner.Get(indexer, types.UID("u2"))
			assert.Equal(t, []string{"inn/labeled"}, found(t, books, err))
			books, err = listers.GuestbookByOwner.In(indexer, "bar", types.UID("u2"))
			assert.Empty(t, found(t, books, err))
		})
	}
}

// TestLookupsAllocateTheirResult looks up in the informers of New.
func TestLookupsAllocateTheirResult(t *testing.T) {
	large := int32(1000)
	sized := book("inn", "sized", "ann")
	sized.Spec.Capacity = &large
	indexer := factories["New"](t, fake.NewClientset(sized))
	for name, find := range map[string]func() ([]*webappv1.Guestbook, error){
		"text":                   func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByGuest.Get(indexer, "ann") },
		"text in a namespace":    func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByGuest.In(indexer, "inn", "ann") },
		"integer":                func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByCapacity.Get(indexer, 1000) },
		"integer in a namespace": func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByCapacity.In(indexer, "inn", 1000) },
	} {
		allocations := testing.AllocsPerRun(1000, func() {
			if books, err := find(); err != nil || len(books) != 1 {
				t.Fatalf("%d found: %v", len(books), err)
			}
		})
		assert.LessOrEqual(t, allocations, 1.0, name)
	}
}

// TestLookupsOfCopies modifies the results of lookups.
func TestLookupsOfCopies(t *testing.T) {
	original := book("inn", "visitors", "ann")
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, listers.GuestbookIndexers())
	require.NoError(t, indexer.Add(original))
	copies := lister.Copies(indexer)
	for range 2 {
		books, err := listers.GuestbookByGuest.Get(copies, "ann")
		assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
		books[0].Spec.Entries[0].Guest = "bob"
		books, err = listers.GuestbookByGuest.In(copies, "inn", "ann")
		assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
		books[0].Spec.Entries[0].Guest = "bob"
	}
	assert.Equal(t, "ann", original.Spec.Entries[0].Guest)
}

// TestLookupsFollowChanges updates and deletes objects.
func TestLookupsFollowChanges(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, listers.GuestbookIndexers())
	require.NoError(t, indexer.Add(book("inn", "visitors", "ann")))
	require.NoError(t, indexer.Update(book("inn", "visitors", "bob")))
	books, err := listers.GuestbookByGuest.In(indexer, "inn", "ann")
	assert.Empty(t, found(t, books, err))
	books, err = listers.GuestbookByGuest.In(indexer, "inn", "bob")
	assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
	require.NoError(t, indexer.Delete(book("inn", "visitors")))
	books, err = listers.GuestbookByGuest.In(indexer, "inn", "bob")
	assert.Empty(t, found(t, books, err))
}

// BenchmarkLookup finds one of 100,000 books by its index, and by its label.
func BenchmarkLookup(b *testing.B) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, listers.GuestbookIndexers())
	for i := range 100_000 {
		one := book(fmt.Sprintf("inn-%d", i%100), fmt.Sprintf("book-%d", i), fmt.Sprintf("guest-%d", i))
		one.Labels = map[string]string{"guest": one.Spec.Entries[0].Guest}
		if err := indexer.Add(one); err != nil {
			b.Fatal(err)
		}
	}
	guestbooks := listers.NewGuestbookLister(indexer)
	selector := labels.SelectorFromSet(labels.Set{"guest": "guest-5"})
	for name, find := range map[string]func() ([]*webappv1.Guestbook, error){
		"index":              func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByGuest.Get(indexer, "guest-5") },
		"index of namespace": func() ([]*webappv1.Guestbook, error) { return listers.GuestbookByGuest.In(indexer, "inn-5", "guest-5") },
		"label":              func() ([]*webappv1.Guestbook, error) { return guestbooks.List(selector) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if books, err := find(); err != nil || len(books) != 1 {
					b.Fatalf("%d found: %v", len(books), err)
				}
			}
		})
	}
}
