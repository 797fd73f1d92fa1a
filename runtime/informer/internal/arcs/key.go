package arcs

import (
	"fmt"
	"math/big"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/sharding"
)

// Buckets is the number of buckets, which are arcs of equal size.
const Buckets = 256

// Key is the part of an object that is hashed. The zero value is the UID.
type Key struct {
	// Label is the key of a label whose value is the number of a bucket, from 0 to 255. It needs no hash and no feature of the server.
	Label string
	// namespace is set for the namespace of an object.
	namespace bool
}

// Bucket returns the arc of a bucket to another one, both included.
func Bucket(first, last uint8) Arc {
	return Arc{uint64(first) << 56, uint64(last)<<56 | (1<<56 - 1)}
}

// HashOf returns the hash of an object, and false if the object lacks the label.
func (k Key) HashOf(object metav1.Object) (hash uint64, ok bool) {
	switch {
	case k.Label != "":
		bucket, err := strconv.ParseUint(object.GetLabels()[k.Label], 10, 8)
		return bucket << 56, err == nil
	case k.namespace:
		return fnv1a(object.GetNamespace()), true
	}
	return fnv1a(string(object.GetUID())), true
}

// fnv1a returns the hash of hash/fnv's New64a, without its allocation for each object.
func fnv1a(text string) uint64 {
	hash := uint64(14695981039346656037)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 1099511628211
	}
	return hash
}

// BucketOf returns the bucket of a UID.
func BucketOf(uid string) uint8 { return uint8(fnv1a(uid) >> 56) }

// MayBeIgnored reports whether the API server may ignore the selector.
func (k Key) MayBeIgnored() bool { return k.Label == "" }

// Select adds a set to the options of a list or watch. It returns an error if the options select another shard.
func (k Key) Select(options *metav1.ListOptions, set Set) error {
	if k.Label != "" {
		return k.selectLabel(options, set)
	}
	selector := k.Selector(set).String()
	if other := options.ShardSelector; other != "" && other != selector {
		return fmt.Errorf("the options of a list or watch select the shard %q, but the informer has %q", other, selector)
	}
	options.ShardSelector = selector
	return nil
}

// selectLabel selects the buckets of a set by their label.
func (k Key) selectLabel(options *metav1.ListOptions, set Set) error {
	var buckets []string
	for bucket := range Buckets {
		if set.Has(uint64(bucket) << 56) {
			buckets = append(buckets, strconv.Itoa(bucket))
		}
	}
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return err
	}
	in, err := labels.NewRequirement(k.Label, selection.In, buckets)
	if err != nil {
		return err
	}
	options.LabelSelector = selector.Add(*in).String()
	return nil
}

const (
	fieldUID       = "object.metadata.uid"
	fieldNamespace = "object.metadata.namespace"
)

// Selector returns the selector of a set for the API server.
func (k Key) Selector(set Set) sharding.Selector {
	if set.IsAll() {
		return sharding.Everything()
	}
	field := fieldUID
	if k.namespace {
		field = fieldNamespace
	}
	var ranges []sharding.ShardRangeRequirement
	for _, arc := range set {
		end := fmt.Sprintf("0x%016x", arc.Last+1)
		if arc.Last == All[0].Last {
			end = "0x10000000000000000"
		}
		ranges = append(ranges, sharding.ShardRangeRequirement{Key: field, Start: fmt.Sprintf("0x%016x", arc.First), End: end})
	}
	return sharding.NewSelector(ranges...)
}

// Parse returns the key and the set of a selector. Nil selects everything.
func Parse(selector sharding.Selector) (Key, Set, error) {
	if selector == nil || selector.Empty() {
		return Key{}, All, nil
	}
	ranges := selector.Requirements()
	var arcs []Arc
	for _, r := range ranges {
		if r.Key != ranges[0].Key || r.Key != fieldUID && r.Key != fieldNamespace {
			return Key{}, nil, fmt.Errorf("shard %q: the key must be %s or %s, the same in all ranges", selector, fieldUID, fieldNamespace)
		}
		first, err := strconv.ParseUint(r.Start, 0, 64)
		end, ok := new(big.Int).SetString(r.End, 0)
		if err != nil || !ok {
			return Key{}, nil, fmt.Errorf("shard %q: invalid range from %q to %q", selector, r.Start, r.End)
		}
		if last := end.Sub(end, big.NewInt(1)); last.IsUint64() && last.Uint64() >= first { // other ranges have no hash
			arcs = append(arcs, Arc{first, last.Uint64()})
		}
	}
	return Key{namespace: ranges[0].Key == fieldNamespace}, New(arcs...), nil
}
