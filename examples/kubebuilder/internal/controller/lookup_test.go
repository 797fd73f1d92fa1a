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

// TestLookups covers the lookups that the markers of the type declare.
func TestLookups(t *testing.T) {
	labelled := book("inn", "labelled")
	labelled.Labels = map[string]string{"season": ""}
	labelled.OwnerReferences = []metav1.OwnerReference{{UID: "u1"}, {UID: "u2"}}
	five := int32(5)
	sized := book("bar", "sized", "ann", "ann")
	sized.Spec.Capacity = &five
	factory := externalversions.NewSharedInformerFactory(fake.NewClientset(book("inn", "visitors", "ann", "bob"), labelled, sized), 0)
	lister := factory.Webapp().V1().Guestbooks().Lister()
	factory.StartWithContext(t.Context())
	require.NoError(t, factory.WaitForCacheSyncWithContext(t.Context()).AsError())

	books, err := lister.ByGuest("ann")
	assert.ElementsMatch(t, []string{"bar/sized", "inn/visitors"}, found(t, books, err))
	books, err = lister.Guestbooks("inn").ByGuest("ann")
	assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
	books, err = lister.ByGuest("")
	assert.Empty(t, found(t, books, err), "an empty list has no values")

	books, err = lister.ByCapacity(5)
	assert.Equal(t, []string{"bar/sized"}, found(t, books, err))
	books, err = lister.ByCapacity(0)
	assert.Empty(t, found(t, books, err), "nil is not zero")

	books, err = lister.BySeasonLabel("")
	assert.Equal(t, []string{"inn/labelled"}, found(t, books, err), "an empty label has a value, a missing label has none")
	books, err = lister.Owned(types.UID("u2"))
	assert.Equal(t, []string{"inn/labelled"}, found(t, books, err))
	books, err = lister.Guestbooks("bar").Owned(types.UID("u2"))
	assert.Empty(t, found(t, books, err))
}

// TestLookupsFollowChanges updates and deletes objects.
func TestLookupsFollowChanges(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, listers.GuestbookIndexers())
	lister := listers.NewGuestbookLister(indexer).Guestbooks("inn")
	require.NoError(t, indexer.Add(book("inn", "visitors", "ann")))
	require.NoError(t, indexer.Update(book("inn", "visitors", "bob")))
	books, err := lister.ByGuest("ann")
	assert.Empty(t, found(t, books, err))
	books, err = lister.ByGuest("bob")
	assert.Equal(t, []string{"inn/visitors"}, found(t, books, err))
	require.NoError(t, indexer.Delete(book("inn", "visitors")))
	books, err = lister.ByGuest("bob")
	assert.Empty(t, found(t, books, err))
}

// TestLookupWithoutIndex checks the error of an indexer without indexes.
func TestLookupWithoutIndex(t *testing.T) {
	lister := listers.NewGuestbookLister(cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}))
	_, err := lister.ByGuest("ann")
	assert.EqualError(t, err, "look up guestbook.webapp.example.com: Index with name spec.entries.guest does not exist; add GuestbookIndexers to the informer")
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
	lister := listers.NewGuestbookLister(indexer)
	selector := labels.SelectorFromSet(labels.Set{"guest": "guest-5"})
	for name, find := range map[string]func() ([]*webappv1.Guestbook, error){
		"index":              func() ([]*webappv1.Guestbook, error) { return lister.ByGuest("guest-5") },
		"index of namespace": func() ([]*webappv1.Guestbook, error) { return lister.Guestbooks("inn-5").ByGuest("guest-5") },
		"label":              func() ([]*webappv1.Guestbook, error) { return lister.List(selector) },
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
