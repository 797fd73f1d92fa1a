package informer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/given"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/shared"
)

// SetNamespaces changes the namespaces of all informers, also of informers requested later, except for informers whose
// namespaces are set by an option of [ForKind] or [For]. It waits until new namespaces have synced and then drops the namespaces
// that are no longer listed: handlers receive a deletion for each of their objects. If ctx is done first, nothing changes, and the
// error has the API server's response for each resource and namespace.
func (f *Factory) SetNamespaces(ctx context.Context, namespaces ...string) error {
	if err := given.CheckNamespaces(namespaces); err != nil {
		return err
	}
	if f.follower != nil {
		return fmt.Errorf("SetNamespaces contradicts %s", f.settings.given.Of(settingNamespaces))
	}
	f.scoping.Lock()
	defer f.scoping.Unlock()
	before := f.swapNamespaces(namespaces)
	err := f.change(f.scoped(), func(i *shared.Informer) ([]shared.Failure, error) { return i.SetNamespaces(ctx, namespaces...) })
	if err == nil {
		return nil
	}
	// Revert the others, without waiting: ctx may be done.
	f.swapNamespaces(before)
	for _, m := range f.scoped() {
		m.own.ResetNamespaces(before)
	}
	return err
}

// swapNamespaces sets the namespaces of informers that are created later, and returns the previous ones.
func (f *Factory) swapNamespaces(namespaces []string) (before []string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	before, f.settings.namespaces = f.settings.namespaces, slices.Clone(namespaces)
	f.followed = true
	if before == nil {
		before = []string{metav1.NamespaceAll}
	}
	return before
}

// pending reports whether a member is to have a namespace that it has not listed. During a change, members get there one by one.
func (f *Factory) pending(m *member, namespace string) bool {
	f.lock.Lock()
	wanted, unserved := f.settings.namespaces, m.unserved
	f.lock.Unlock()
	if !m.scoped {
		wanted = m.own.Namespaces()
	} else if wanted == nil {
		wanted = []string{metav1.NamespaceAll}
	}
	if m.scoped && namespace == metav1.NamespaceAll && !unserved { // of a cluster-scoped object, which may have something in each
		return slices.ContainsFunc(wanted, func(namespace string) bool { return !m.own.Listed(namespace) })
	}
	has := slices.Contains(wanted, metav1.NamespaceAll) || slices.Contains(wanted, namespace)
	return has && !unserved && !m.own.Listed(namespace)
}

// scoped returns the members that have the namespaces of the factory.
func (f *Factory) scoped() []*member {
	return slices.DeleteFunc(f.own(), func(m *member) bool { return !m.scoped })
}

// sharded returns the members that have the arcs of the factory.
func (f *Factory) sharded() []*member {
	return slices.DeleteFunc(f.own(), func(m *member) bool { return !m.sharded })
}

// change changes what informers list and watch, all at the same time.
func (f *Factory) change(members []*member, to func(*shared.Informer) ([]shared.Failure, error)) error {
	errs := make([]error, len(members))
	var wg sync.WaitGroup
	for n, m := range members {
		wg.Go(func() {
			if failures, err := to(m.own); err != nil {
				errs[n] = joinErrors(err, errorsOf(m.resource, failures))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
