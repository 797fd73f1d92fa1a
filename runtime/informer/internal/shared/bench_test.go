package shared

import (
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// benchmarked is the number of objects of a list.
const benchmarked = 20_000

// freshList returns a list as a reflector receives it.
func freshList(version int) []any {
	list := make([]any, benchmarked)
	for n := range list {
		list[n] = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprintf("namespace-%d", n%10), Name: fmt.Sprintf("object-%d", n), ResourceVersion: strconv.Itoa(version),
			Labels: map[string]string{"app": fmt.Sprint("app-", n%100)},
		}}
	}
	return list
}

func benchmarkedInformer(b *testing.B) *source {
	b.Helper()
	i := New(Config{Object: &corev1.ConfigMap{}, Namespaced: true, Indexers: cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"app":                func(obj any) ([]string, error) { return []string{obj.(*corev1.ConfigMap).Labels["app"]}, nil },
	}})
	return i.sources[0]
}

// BenchmarkSync stores a first list of 20,000 objects.
func BenchmarkSync(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s, list := benchmarkedInformer(b), freshList(1)
		b.StartTimer()
		if err := s.Replace(list, "1"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRelist stores a second list of 20,000 objects, all of which have changed.
func BenchmarkRelist(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s := benchmarkedInformer(b)
		if err := s.Replace(freshList(1), "1"); err != nil {
			b.Fatal(err)
		}
		list := freshList(2)
		b.StartTimer()
		if err := s.Replace(list, "2"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvents stores events of one of many namespaces. Their cost does not depend on the others.
func BenchmarkEvents(b *testing.B) {
	for _, count := range []int{1, 1000} {
		b.Run(fmt.Sprint(count, " namespaces"), func(b *testing.B) {
			var namespaces []string
			for n := range count {
				namespaces = append(namespaces, fmt.Sprint("namespace-", n))
			}
			i := New(Config{Object: &corev1.ConfigMap{}, Namespaced: true, Namespaces: namespaces})
			for _, s := range i.sources {
				if err := s.Replace(nil, "1"); err != nil {
					b.Fatal(err)
				}
			}
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "namespace-0", Name: "x"}}
			s, version := i.sources[0], 1
			b.ReportAllocs()
			for b.Loop() {
				version++
				object.ResourceVersion = strconv.Itoa(version)
				if err := s.Update(object); err != nil {
					b.Fatal(err)
				}
				s.UpdateResourceVersion(object.ResourceVersion)
			}
		})
	}
}
