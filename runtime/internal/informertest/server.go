// Package informertest has a server for tests of informers: ConfigMaps with resource versions, whose watches can lag, expire and be
// refused. Unlike fake clientsets, it lists and watches from versions as an API server does.
package informertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Resource is the resource of the server.
var Resource = corev1.SchemeGroupVersion.WithResource("configmaps")

// Server has ConfigMaps. It is its own clientset, which cannot stream lists.
type Server struct {
	lock    sync.Mutex
	version int
	objects map[cache.ObjectName]*corev1.ConfigMap
	history []change
	watches []*openWatch
	held    map[string]bool
	refused map[string]error
	lists   int
	// sharding decides about shard selectors, and sent is the number of objects in lists.
	sharding func() Sharding
	sent     int
	// expired is the version before which watches can no longer begin.
	expired int
}

// change is a change of an object, as watches report it, which was another before, or nil.
type change struct {
	version int
	event   watch.Event
	before  *corev1.ConfigMap
}

// NewServer returns a server with objects, in the order of their resource versions, which begin with 1.
func NewServer(objects ...*corev1.ConfigMap) *Server {
	s := &Server{objects: map[cache.ObjectName]*corev1.ConfigMap{}, held: map[string]bool{}, refused: map[string]error{}}
	for _, object := range objects {
		s.Create(object)
	}
	return s
}

// ConfigMap returns a ConfigMap.
func ConfigMap(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// IsWatchListSemanticsUnSupported reports that the server cannot stream lists.
func (s *Server) IsWatchListSemanticsUnSupported() bool { return true }

// Create adds an object and returns it.
func (s *Server) Create(object *corev1.ConfigMap) *corev1.ConfigMap {
	return s.store(watch.Added, object)
}

// Relabel is Label for an object that exists, and keeps everything else. It returns an error if the object does not exist.
func (s *Server) Relabel(namespace, name, value string) error {
	_, err := s.change(cache.NewObjectName(namespace, name), func(object *corev1.ConfigMap) error {
		object.Labels = map[string]string{"label": value}
		return nil
	})
	return err
}

// Label sets the label "label" of an object and returns the object.
func (s *Server) Label(namespace, name, value string) *corev1.ConfigMap {
	object := ConfigMap(namespace, name)
	object.Labels = map[string]string{"label": value}
	return s.store(watch.Modified, object)
}

// Delete deletes an object and returns its last state, with the version of the deletion.
func (s *Server) Delete(namespace, name string) *corev1.ConfigMap {
	s.lock.Lock()
	object := s.objects[cache.NewObjectName(namespace, name)]
	s.lock.Unlock()
	return s.store(watch.Deleted, object)
}

func (s *Server) store(event watch.EventType, object *corev1.ConfigMap) *corev1.ConfigMap {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.put(event, object.DeepCopy())
}

// put gives an object the next version and stores it. The caller holds the lock.
func (s *Server) put(event watch.EventType, object *corev1.ConfigMap) *corev1.ConfigMap {
	s.version++
	object.ResourceVersion = strconv.Itoa(s.version)
	name := cache.MetaObjectToName(object)
	before := s.objects[name]
	s.objects[name] = object
	if event == watch.Deleted {
		delete(s.objects, name)
	}
	s.history = append(s.history, change{s.version, watch.Event{Type: event, Object: object}, before})
	s.deliver()
	return object
}

// Advance gives the server a later version, as changes of other resources do.
func (s *Server) Advance(by int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.version += by
}

// Version returns the current resource version.
func (s *Server) Version() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return strconv.Itoa(s.version)
}

// Hold keeps back the events of watches of a namespace, or of watches of all namespaces if it is empty, until release is called.
func (s *Server) Hold(namespace string) (release func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.held[namespace] = true
	return func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		delete(s.held, namespace)
		s.deliver()
	}
}

// Refuse makes lists and watches of a namespace fail, or of all namespaces if it is empty, until the error is nil.
func (s *Server) Refuse(namespace string, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.refused[namespace] = err
}

// Expire forgets the history, so that all watches end and informers list again. Watches that begin at an earlier version are refused,
// also the first watch of an informer that has only listed.
func (s *Server) Expire() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.history, s.expired = nil, s.version
	for _, w := range s.watches {
		w.send(watch.Event{Type: watch.Error, Object: &errExpired.ErrStatus})
	}
}

var errExpired = apierrors.NewResourceExpired("too old")

// Drop forgets an object without an event: only a list shows that it is gone.
func (s *Server) Drop(namespace, name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.version++
	delete(s.objects, cache.NewObjectName(namespace, name))
}

// Restore resets the version, as a backup does that is restored.
func (s *Server) Restore(version int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.version, s.history = version, nil
}

// Lists returns the number of lists that were answered.
func (s *Server) Lists() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.lists
}

// deliver sends the changes that watches have not seen. The caller holds the lock.
func (s *Server) deliver() {
	for _, w := range s.watches {
		if s.held[w.namespace] || w.held {
			continue
		}
		seen, _ := slices.BinarySearchFunc(s.history, w.version+1, func(c change, version int) int { return c.version - version })
		for _, change := range s.history[seen:] {
			if event, ok := w.sees(change); ok {
				w.send(event)
			}
			w.version = max(w.version, change.version)
		}
	}
}

// ConfigMaps returns the client for a namespace, or for all namespaces if it is empty.
func (s *Server) ConfigMaps(namespace string) *Client { return &Client{s, namespace} }

// ListerWatcher returns a ListerWatcher for a namespace, or for all namespaces if it is empty.
func (s *Server) ListerWatcher(namespace string) cache.ListerWatcher {
	client := s.ConfigMaps(namespace)
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, options)
		},
		WatchFuncWithContext: client.Watch,
	}, s)
}

// Client is a typed client.
type Client struct {
	server    *Server
	namespace string
}

// Get returns an object.
func (c *Client) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.ConfigMap, error) {
	c.server.lock.Lock()
	defer c.server.lock.Unlock()
	if object, ok := c.server.objects[cache.NewObjectName(c.namespace, name)]; ok {
		return object.DeepCopy(), nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: Resource.Resource}, name)
}

// selecting returns a watch for what options select.
func (c *Client) selecting(options metav1.ListOptions) (*openWatch, error) {
	byLabel, err := labels.Parse(options.LabelSelector)
	byField, err2 := fields.ParseSelector(options.FieldSelector)
	shard, err3 := c.server.shard(options.ShardSelector)
	return &openWatch{namespace: c.namespace, labels: byLabel, fields: byField, shard: shard}, errors.Join(err, err2, err3)
}

// List returns the objects that match the selectors, sorted by name. The only field is metadata.name.
func (c *Client) List(_ context.Context, options metav1.ListOptions) (*corev1.ConfigMapList, error) {
	w, err := c.selecting(options)
	if err != nil {
		return nil, err
	}
	s := c.server
	s.lock.Lock()
	defer s.lock.Unlock()
	if err := s.refused[c.namespace]; err != nil {
		return nil, err
	}
	s.lists++
	list := &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}}
	for _, object := range s.objects {
		if w.selects(object) {
			list.Items = append(list.Items, *object.DeepCopy())
		}
	}
	slices.SortFunc(list.Items, func(a, b corev1.ConfigMap) int {
		return slices.Compare([]string{a.Namespace, a.Name}, []string{b.Namespace, b.Name})
	})
	takePage(list, options)
	s.sent += len(list.Items)
	return list, nil
}

// Watches returns the number of open watches.
func (s *Server) Watches() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.watches)
}

// UpdateStatus replaces the annotations, which stand for a status. If the object has a resource version, it must be the current one.
// Without a change, the object keeps its version.
func (c *Client) UpdateStatus(_ context.Context, object *corev1.ConfigMap, _ metav1.UpdateOptions) (*corev1.ConfigMap, error) {
	resource := schema.GroupResource{Resource: Resource.Resource}
	return c.server.change(cache.MetaObjectToName(object), func(current *corev1.ConfigMap) error {
		if version := object.ResourceVersion; version != "" && version != current.ResourceVersion {
			return apierrors.NewConflict(resource, object.Name, errors.New("it has changed"))
		}
		current.Annotations = object.Annotations
		return nil
	})
}

// Patch applies a merge patch to the labels. If the patch has a UID, it must be the object's UID.
func (c *Client) Patch(
	_ context.Context, name string, form types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string,
) (*corev1.ConfigMap, error) {
	var patch struct{ Metadata metav1.ObjectMeta }
	if err := json.Unmarshal(data, &patch); err != nil || form != types.MergePatchType {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s: %v", form, err))
	}
	return c.server.change(cache.NewObjectName(c.namespace, name), func(current *corev1.ConfigMap) error {
		if uid := patch.Metadata.UID; uid != "" && uid != current.UID {
			return apierrors.NewConflict(schema.GroupResource{Resource: Resource.Resource}, name, errors.New("it is another object"))
		}
		if current.Labels == nil && len(patch.Metadata.Labels) > 0 {
			current.Labels = map[string]string{}
		}
		maps.Copy(current.Labels, patch.Metadata.Labels)
		return nil
	})
}

// change changes an object and returns it.
func (s *Server) change(name cache.ObjectName, change func(*corev1.ConfigMap) error) (*corev1.ConfigMap, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	current, exists := s.objects[name]
	if !exists {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: Resource.Resource}, name.Name)
	}
	changed := current.DeepCopy()
	if err := change(changed); err != nil || equality.Semantic.DeepEqual(current, changed) {
		return changed, err
	}
	return s.put(watch.Modified, changed).DeepCopy(), nil
}

// Watch reports the changes since the version in options.
func (c *Client) Watch(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	w, err := c.selecting(options)
	if err != nil {
		return nil, err
	}
	s := c.server
	s.lock.Lock()
	defer s.lock.Unlock()
	if err := s.refused[c.namespace]; err != nil {
		return nil, err
	}
	version, err := strconv.Atoi(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if version < s.expired {
		return nil, errExpired
	}
	w.version, w.server, w.results = version, s, make(chan watch.Event, 10_000)
	s.watches = append(s.watches, w)
	s.deliver()
	return w, nil
}
