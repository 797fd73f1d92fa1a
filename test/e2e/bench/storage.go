package main

import (
	"context"
	"fmt"
	"iter"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// storage is the etcd behind a server, for writes that would take the server too long. The server notices them and sends events
// to watches, as for writes of other servers.
type storage struct{ *clientv3.Client }

// The resources that are written, as in the keys of their objects.
const (
	workloads = fleetv1.GroupName + "/workloads"
	revisions = fleetv1.GroupName + "/workloadrevisions"
	secrets   = "secrets"
)

func openStorage(endpoints []string) (storage, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: endpoints, DialTimeout: 10 * time.Second, Logger: zap.NewNop()})
	return storage{client}, err
}

func key(resource string, name cache.ObjectName) string {
	return path.Join("/registry", resource, name.Namespace, name.Name)
}

// writers is the number of concurrent writes.
const writers = 32

// put writes all given objects. Each object is a separate write: the server assumes that no two objects have the same revision,
// as they would after a common transaction.
func (s storage) put(ctx context.Context, objects iter.Seq2[string, string]) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan [2]string)
	var pool sync.WaitGroup
	for range writers {
		pool.Go(func() {
			for object := range todo {
				if _, err := s.Put(ctx, object[0], object[1]); err != nil {
					cancel(err)
				}
			}
		})
	}
	for key, value := range objects {
		if ctx.Err() != nil {
			break
		}
		todo <- [2]string{key, value}
	}
	close(todo)
	pool.Wait()
	return context.Cause(ctx)
}

// copy replaces a stored object by copies. For each copy, differs returns the name, and the pairs of strings to replace in the
// stored object.
func (s storage) copy(
	ctx context.Context,
	resource string,
	template metav1.Object,
	copies int,
	differs func(int) (cache.ObjectName, []string),
) error {
	from := key(resource, cache.MetaObjectToName(template))
	stored, err := s.Get(ctx, from)
	if err != nil {
		return err
	}
	if len(stored.Kvs) != 1 {
		return fmt.Errorf("etcd has no %s", from)
	}
	original := string(stored.Kvs[0].Value)
	if _, err := s.Delete(ctx, from); err != nil {
		return err
	}
	return s.put(ctx, func(yield func(string, string) bool) {
		for i := range copies {
			name, pairs := differs(i)
			if !yield(key(resource, name), strings.NewReplacer(pairs...).Replace(original)) {
				return
			}
		}
	})
}

// writeAnnotation is the annotation that a write changes.
const writeAnnotation = "example.com/write"

var annotation = regexp.MustCompile(`"` + regexp.QuoteMeta(writeAnnotation) + `":"[^"]*"`)

// annotated returns stored objects by key, with a new value of the annotation.
func (s storage) annotated(ctx context.Context, resource string, names []cache.ObjectName, value string) ([][2]string, error) {
	var all [][2]string
	for _, name := range names {
		key := key(resource, name)
		stored, err := s.Get(ctx, key)
		if err != nil {
			return nil, err
		}
		if len(stored.Kvs) != 1 {
			return nil, fmt.Errorf("etcd has no %s", key)
		}
		all = append(all, [2]string{key, annotation.ReplaceAllString(string(stored.Kvs[0].Value), fmt.Sprintf("%q:%q", writeAnnotation, value))})
	}
	return all, nil
}
