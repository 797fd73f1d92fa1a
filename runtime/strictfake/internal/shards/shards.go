package shards

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/sharding"
)

// Requested returns the shard that a client wants, which is nil for everything. Older servers, without is38, answer a wrong selector
// with status 500 instead of 400.
func Requested(selector string, is38 bool) (sharding.Selector, error) {
	if selector == "" {
		return nil, nil //nolint:nilnil // no shard is everything
	}
	shard, err := Parse(selector)
	if err == nil {
		return shard, nil
	}
	err = fmt.Errorf("invalid shard selector: %w", err)
	if is38 {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return nil, err
}

// Has reports whether an object belongs to a shard. Everything belongs to nil.
func Has(shard sharding.Selector, object runtime.Object) bool {
	if shard == nil {
		return true
	}
	is, err := shard.Matches(object)
	return is && err == nil
}

// Show says in a list which shard it is.
func Show(list metav1.ListInterface, shard sharding.Selector) {
	if sharded, ok := list.(metav1.ShardedListInterface); ok && shard != nil {
		sharded.SetShardInfo(&metav1.ShardInfo{Selector: shard.String()})
	}
}
