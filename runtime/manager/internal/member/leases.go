package member

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// Annotation is the annotation of Leases with the map of a group, or the statement of a member.
const Annotation = "informer-gen-lite.github.io/shards"

// leases reads and writes the Leases of a group. Its methods may be called concurrently.
type leases struct {
	config Config
	// names are by the names in the protocol.
	names map[string]cache.ObjectName

	lock sync.Mutex
	// known has the newest version that was seen of each Lease.
	known map[string]*coordinationv1.Lease
}

func newLeases(config Config) *leases {
	l := &leases{config: config, names: map[string]cache.ObjectName{}, known: map[string]*coordinationv1.Lease{}}
	for _, name := range config.Names() {
		namespace, bare, ok := strings.Cut(name, "/")
		if !ok {
			namespace, bare = config.Namespace, name
		}
		l.names[name] = cache.NewObjectName(namespace, bare)
	}
	return l
}

// nameOf returns the name of a Lease in the protocol.
func (l *leases) nameOf(lease *coordinationv1.Lease) (name string, ok bool) {
	name = lease.Name
	if lease.Namespace != l.config.Namespace {
		name = lease.Namespace + "/" + lease.Name
	}
	_, ok = l.names[name]
	return name, ok
}

// list reads the most recent state of all Leases.
func (l *leases) list(ctx context.Context) (shards.Seen, error) {
	seen := shards.Seen{Sent: sleepless.Now()}
	var listed []string
	for name, object := range l.names {
		if object.Namespace == l.config.Namespace {
			continue
		}
		// A role for the Lease of another process, which is in another namespace, allows to list that alone.
		selector := fields.OneTermEqualSelector(metav1.ObjectNameField, object.Name).String()
		found, version, err := l.listIn(ctx, object.Namespace, selector)
		if err != nil {
			return seen, err
		}
		if len(found) == 0 {
			found = []shards.Lease{{Name: name, Version: version, Gone: true}}
		}
		seen.Leases, listed = append(seen.Leases, found...), append(listed, name)
	}
	found, version, err := l.listIn(ctx, l.config.Namespace, "")
	if err != nil {
		return seen, err
	}
	for _, lease := range found {
		listed = append(listed, lease.Name)
	}
	seen.Leases = append(seen.Leases, found...)
	for name := range l.names {
		if !slices.Contains(listed, name) {
			seen.Leases = append(seen.Leases, shards.Lease{Name: name, Version: version, Gone: true})
		}
	}
	return seen, nil
}

// listIn lists the Leases of the group in a namespace.
func (l *leases) listIn(ctx context.Context, namespace, selector string) (found []shards.Lease, version uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.config.Timing.Write)
	defer cancel()
	list, err := l.config.Requests.Leases(namespace).List(ctx, metav1.ListOptions{FieldSelector: selector})
	if err != nil {
		return nil, 0, err
	}
	if version, err = parse(list.ResourceVersion); err != nil {
		return nil, 0, err
	}
	for i := range list.Items {
		lease, ok, err := l.note(&list.Items[i])
		if err != nil {
			return nil, 0, err
		}
		if ok {
			found = append(found, lease)
		}
	}
	return found, version, nil
}

// parse returns a resource version as a number, which it is by convention (KEP-5504).
func parse(version string) (uint64, error) {
	number, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("resource version %q of a Lease is no number: shards cannot be used with this API server", version)
	}
	return number, nil
}

// note keeps a Lease of the group, and returns it for the protocol. ok is false for other Leases.
func (l *leases) note(object *coordinationv1.Lease) (lease shards.Lease, ok bool, err error) {
	name, ok := l.nameOf(object)
	if !ok {
		return lease, false, nil
	}
	version, err := parse(object.ResourceVersion)
	if err != nil {
		return lease, false, err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if last := l.known[name]; last == nil || mustParse(last) < version {
		l.known[name] = object
	}
	lease = shards.Lease{
		Name: name, Version: version, Holder: ptr.Deref(object.Spec.HolderIdentity, ""), State: object.Annotations[Annotation],
		Duration: time.Duration(ptr.Deref(object.Spec.LeaseDurationSeconds, 0)) * time.Second,
	}
	if at := object.Spec.RenewTime; at != nil {
		lease.Renewed = at.Time
	}
	return lease, true, nil
}

// mustParse returns the resource version of a Lease that was noted.
func mustParse(lease *coordinationv1.Lease) uint64 {
	version, _ := parse(lease.ResourceVersion) // note has parsed it
	return version
}

// recent is for how long versions in a Lease that nobody holds are handed over. Controllers wait a minute at most.
const recent = 5 * time.Minute

// written returns the Leases with the versions that members have written: held ones, and others that were held lately.
func (l *leases) written() (all []*coordinationv1.Lease) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, lease := range l.known {
		if at := lease.Spec.RenewTime; ptr.Deref(lease.Spec.HolderIdentity, "") != "" || at != nil && time.Since(at.Time) < recent {
			all = append(all, lease)
		}
	}
	return all
}

// write writes a Lease, and returns its new version.
func (l *leases) write(ctx context.Context, write shards.Write) (version uint64, err error) {
	object, err := l.next(ctx, write)
	if err != nil {
		return 0, err
	}
	client := l.config.Requests.Leases(object.Namespace)
	var stored *coordinationv1.Lease
	if write.Base == 0 {
		stored, err = client.Create(ctx, object, metav1.CreateOptions{})
	} else {
		stored, err = client.Update(ctx, object, metav1.UpdateOptions{})
	}
	if err != nil {
		return 0, err
	}
	lease, _, err := l.note(stored)
	return lease.Version, err
}

// next returns a Lease as it has to be written.
func (l *leases) next(ctx context.Context, write shards.Write) (*coordinationv1.Lease, error) {
	name := l.names[write.Lease.Name]
	object := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}}
	if write.Base != 0 {
		l.lock.Lock()
		known := l.known[write.Lease.Name]
		l.lock.Unlock()
		if known == nil || mustParse(known) != write.Base {
			return nil, apierrors.NewConflict(coordinationv1.Resource("leases"), name.String(), errors.New("it has changed"))
		}
		object = known.DeepCopy()
	}
	before, holder := ptr.Deref(object.Spec.HolderIdentity, ""), write.Lease.Holder
	now := metav1.NewMicroTime(time.Now()) // others read this time, so it is not of package sleepless
	if holder != "" && holder != before {
		object.Spec.AcquireTime = &now
		object.Spec.LeaseTransitions = new(ptr.Deref(object.Spec.LeaseTransitions, -1) + 1)
	}
	object.Spec.HolderIdentity, object.Spec.RenewTime = &holder, &now
	object.Spec.LeaseDurationSeconds = new(int32(write.Lease.Duration / time.Second))
	delete(object.Annotations, Annotation)
	if write.Lease.State != "" {
		metav1.SetMetaDataAnnotation(&object.ObjectMeta, Annotation, write.Lease.State)
	}
	l.leave(ctx, object, before, holder)
	return object, nil
}

// leave leaves in a Lease what this process has written, and in a gate what all members have. Before a Lease of others is taken, it
// takes over their versions.
func (l *leases) leave(ctx context.Context, lease *coordinationv1.Lease, before, holder string) {
	record, member, group := l.config.Record, l.config.Identity, l.config.Group()
	own, gate := before == member || holder == member, before == group || holder == group
	if !own && !gate {
		return // of a member that is dead
	}
	if before != member && before != group {
		record.Inherit(ctx, lease)
	}
	var others []*coordinationv1.Lease
	if gate {
		others = l.written()
	}
	record.Leave(ctx, lease, others...)
}

// watch makes changes of Leases events. They come earlier than the next list.
func (d *driver) watch(ctx context.Context) (stop func(), err error) {
	factory := informer.NewFactory(informer.WithNamespaces(d.config.Namespace), informer.WithWatchErrorHandler(logQuietly))
	source := informer.Namespaced(nil, coordinationv1.SchemeGroupVersion.WithResource("leases"), d.config.Watches.Leases)
	seen := func(lease *coordinationv1.Lease) {
		if one, ok, err := d.leases.note(lease); ok && err == nil { // the list has the same error, and logs it
			d.inbox.add(shards.Seen{Leases: []shards.Lease{one}})
		}
	}
	_, err = informer.For(factory, source).AddHandler(informer.HandlerFuncs[*coordinationv1.Lease]{
		Added:   func(lease *coordinationv1.Lease, _ bool) { seen(lease) },
		Updated: func(_, after *coordinationv1.Lease) { seen(after) },
	})
	if err != nil {
		return nil, err
	}
	factory.StartWithContext(ctx)
	return factory.Shutdown, nil
}

// logQuietly is the watch error handler: the lists log the same error.
func logQuietly(ctx context.Context, _ *cache.Reflector, err error) {
	klog.FromContext(ctx).V(4).Info("Cannot watch Leases", "err", err)
}
