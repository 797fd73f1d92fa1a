package informertest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Sharding says how a server treats the shard selector of a request.
type Sharding int

const (
	// Ignores is for servers without the feature.
	Ignores Sharding = iota
	// Filters is for servers with the feature.
	Filters
	// Refuses is for servers that find the selector invalid.
	Refuses
)

// Shard sets a function that says how the server treats the shard selector of the next request. Without one, it ignores selectors.
func (s *Server) Shard(sharding func() Sharding) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.sharding = sharding
}

// Sent returns the number of objects that lists have had so far.
func (s *Server) Sent() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.sent
}

var oneRange = regexp.MustCompile(`shardRange\(object\.metadata\.uid, '(0x[0-9a-f]+)', '(0x[0-9a-f]+)'\)`)

// shard returns a function that reports whether the object with a UID is in a shard.
func (s *Server) shard(selector string) (func(types.UID) bool, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	all := func(types.UID) bool { return true }
	if selector == "" || s.sharding == nil {
		return all, nil
	}
	switch s.sharding() {
	case Ignores:
		return all, nil
	case Refuses:
		return all, apierrors.NewBadRequest("invalid shard selector")
	case Filters:
	}
	type hashes struct{ first, last uint64 }
	var ranges []hashes
	for part := range strings.SplitSeq(selector, "||") {
		found := oneRange.FindStringSubmatch(part)
		if found == nil {
			return all, apierrors.NewBadRequest(fmt.Sprintf("invalid shard selector %q", part))
		}
		first, _ := new(big.Int).SetString(found[1], 0)
		end, _ := new(big.Int).SetString(found[2], 0)
		last := uint64(math.MaxUint64)
		if end.IsUint64() {
			last = end.Uint64() - 1
		}
		ranges = append(ranges, hashes{first.Uint64(), last})
	}
	return func(uid types.UID) bool {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(uid)) // never fails
		return slices.ContainsFunc(ranges, func(r hashes) bool { return r.first <= hash.Sum64() && hash.Sum64() <= r.last })
	}, nil
}

// takePage reduces a sorted list to the page that options select. A continue token is the name of the last object of a page, and is not
// bound to a shard.
func takePage(list *corev1.ConfigMapList, options metav1.ListOptions) {
	nameOf := func(object *corev1.ConfigMap) string { return object.Namespace + "/" + object.Name }
	list.Items = slices.DeleteFunc(list.Items, func(object corev1.ConfigMap) bool {
		return options.Continue != "" && nameOf(&object) <= options.Continue
	})
	if limit := int(options.Limit); limit > 0 && len(list.Items) > limit {
		list.Items = list.Items[:limit]
		list.Continue = nameOf(&list.Items[limit-1])
	}
}
