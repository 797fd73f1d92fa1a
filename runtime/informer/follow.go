package informer

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

// WithNamespaceSelector limits the informers of a factory to the namespaces whose labels match, as they come and go: it watches the
// metadata of Namespace objects. A namespace that no longer matches is dropped as [Factory.SetNamespaces] says, which must not be
// called. Without a matching namespace, informers have no objects. It needs a cluster role with the verbs list and watch for
// namespaces. It is for the whole factory.
//
//	namespaces := informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("namespaces"), kube.CoreV1().Namespaces())
//	factory := informer.NewFactory(informer.WithNamespaceSelector(namespaces, selector))
func WithNamespaceSelector[N Object](namespaces Source[N], selector labels.Selector) Option {
	return func(s *settings) {
		if !s.give(settingNamespaces, call("WithNamespaceSelector", selector.String())) {
			return
		}
		s.namespaces = []string{} // none yet, not all
		s.follow = func(f *Factory) (*member, error) {
			reduced, err := MetadataOf(namespaces)
			if err != nil {
				return nil, err
			}
			whole := WithShards(Arc{0, 255})
			return follow(f, For(f, reduced, WithLabels(selector), WithFields(fields.Everything()), WithVersionsOnly(), whole)), nil
		}
	}
}

// follow makes a factory watch the namespaces that an informer finds. It returns the informer's member.
func follow(f *Factory, matching *Informer[*metav1.PartialObjectMetadata]) *member {
	changed := make(chan struct{}, 1)
	note := func() {
		select {
		case changed <- struct{}{}:
		default: // it is noted already
		}
	}
	_, err := matching.AddHandler(HandlerFuncs[*metav1.PartialObjectMetadata]{
		Added:   func(*metav1.PartialObjectMetadata, bool) { note() },
		Deleted: func(cache.ObjectName, *metav1.PartialObjectMetadata) { note() },
	})
	f.note(err)
	m := matching.member
	m.run = func(ctx context.Context) {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.followUntil(ctx, matching, changed)
		}()
		m.own.RunWithContext(ctx)
		<-ended
	}
	return m
}

// followUntil sets the namespaces of the factory until ctx is done. It does not wait until new namespaces have synced: a namespace
// that cannot be listed must not keep others from coming or going.
func (f *Factory) followUntil(ctx context.Context, matching *Informer[*metav1.PartialObjectMetadata], changed <-chan struct{}) {
	select {
	case <-matching.member.own.HasSyncedChecker().Done():
	case <-ctx.Done():
		return
	}
	for {
		namespaces := matching.Indexer().ListKeys()
		slices.Sort(namespaces)
		f.resetNamespaces(namespaces)
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// resetNamespaces changes the namespaces of all informers without waiting for them to sync.
func (f *Factory) resetNamespaces(namespaces []string) {
	f.scoping.Lock()
	defer f.scoping.Unlock()
	f.swapNamespaces(namespaces)
	for _, m := range f.scoped() { // informers created from now on have the namespaces
		m.own.ResetNamespaces(namespaces)
	}
}
