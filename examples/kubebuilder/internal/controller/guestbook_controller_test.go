package controller

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	webappv1 "example.com/guestbook/api/v1"
	webappv1ac "example.com/guestbook/pkg/generated/applyconfiguration/api/v1"
	"example.com/guestbook/pkg/generated/clientset/versioned/fake"
)

// entry returns an apply configuration with only one guest's entry.
func entry(guest, text string) *webappv1ac.GuestbookApplyConfiguration {
	return webappv1ac.Guestbook("visitors", "inn").WithSpec(webappv1ac.GuestbookSpec().
		WithEntries(webappv1ac.Entry().WithGuest(guest).WithText(text)))
}

// TestGuestsWriteIntoOneBook shows server-side apply: each guest owns an entry of a list.
func TestGuestsWriteIntoOneBook(t *testing.T) {
	books := fake.NewClientset().WebappV1().Guestbooks("inn")
	for _, guest := range []string{"ann", "bob"} {
		_, err := books.Apply(t.Context(), entry(guest, "it was nice"), metav1.ApplyOptions{FieldManager: guest})
		require.NoError(t, err)
	}
	_, err := books.Apply(t.Context(), entry("ann", "no, it was not"), metav1.ApplyOptions{FieldManager: "bob"})
	require.True(t, apierrors.IsConflict(err), "got %v", err)

	book, err := books.Apply(t.Context(), entry("ann", "very nice"), metav1.ApplyOptions{FieldManager: "ann"})
	require.NoError(t, err)
	assert.Equal(t, []webappv1.Entry{{Guest: "ann", Text: "very nice"}, {Guest: "bob", Text: "it was nice"}}, book.Spec.Entries)

	extracted, err := webappv1ac.ExtractGuestbook(book, "bob")
	require.NoError(t, err)
	assert.Equal(t, entry("bob", "it was nice"), extracted)

	book, err = books.Apply(t.Context(), webappv1ac.Guestbook("visitors", "inn"), metav1.ApplyOptions{FieldManager: "ann"})
	require.NoError(t, err)
	assert.Equal(t, []webappv1.Entry{{Guest: "bob", Text: "it was nice"}}, book.Spec.Entries)
}

// TestControllerCountsFreePlaces runs the controller while guests write.
func TestControllerCountsFreePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		two := int32(2)
		// The other fakes send an event for an apply that changes nothing, so that the controller would never be idle.
		client := fake.NewStrictClientset(&webappv1.Guestbook{
			ObjectMeta: metav1.ObjectMeta{Name: "visitors", Namespace: "inn"},
			Spec:       webappv1.GuestbookSpec{Capacity: &two},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- New(client).Run(ctx) }()
		free := func() int32 {
			synctest.Wait()
			book, err := client.WebappV1().Guestbooks("inn").Get(t.Context(), "visitors", metav1.GetOptions{})
			require.NoError(t, err)
			return book.Status.Free
		}
		assert.EqualValues(t, 2, free())
		_, err := client.WebappV1().Guestbooks("inn").Apply(t.Context(), entry("ann", "hello"), metav1.ApplyOptions{FieldManager: "ann"})
		require.NoError(t, err)
		assert.EqualValues(t, 1, free())
		cancel()
		assert.ErrorIs(t, <-done, context.Canceled)
	})
}

// TestSchemeKnowsTheTypes registers them as controller-runtime does.
func TestSchemeKnowsTheTypes(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, webappv1.AddToScheme(scheme))
	for _, kind := range []string{"Guestbook", "GuestbookList"} {
		assert.True(t, scheme.Recognizes(webappv1.GroupVersion.WithKind(kind)), kind)
	}
}
