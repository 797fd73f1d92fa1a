package shared

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/watch"
)

// SetShardSelector limits the informer to a shard of all objects (KEP-5866). It implements cache.SharedInformer of later releases. Servers
// without the feature send all objects, and the informer keeps those of its shard. It returns an error if the informer has been started.
func (i *Informer) SetShardSelector(selector sharding.Selector) error {
	return i.configure(func() error {
		i.config.Shard = selector
		return nil
	})
}

// shard is the part of the objects that an informer has; nil means all.
type shard struct{ sharding.Selector }

func (i *Informer) shard() *shard {
	if i.config.Shard == nil || i.config.Shard.Empty() {
		return nil
	}
	return &shard{i.config.Shard}
}

// request adds the selector to the options of a request.
func (s *shard) request(options *metav1.ListOptions) error {
	if s == nil {
		return nil
	}
	if other := options.ShardSelector; other != "" && other != s.String() {
		return fmt.Errorf("the options of a list or watch select the shard %q, but the informer has %q", other, s)
	}
	options.ShardSelector = s.String()
	return nil
}

// filter removes what does not belong to the shard from a list, unless the server has done so.
func (s *shard) filter(list runtime.Object) error {
	if s == nil {
		return nil
	}
	listed, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	if answer, ok := listed.(metav1.ShardedListInterface); ok && answer.GetShardInfo() != nil {
		if applied := answer.GetShardInfo().Selector; applied != s.String() {
			return fmt.Errorf("the server has selected the shard %q, not %q", applied, s)
		}
		return nil
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	kept := []runtime.Object{}
	for _, item := range items {
		has, err := s.Matches(item)
		if err != nil {
			return err
		}
		if has {
			kept = append(kept, item)
		}
	}
	listed.SetRemainingItemCount(nil)
	return meta.SetList(list, kept)
}

// watch drops the events of other shards.
func (s *shard) watch(opened watch.Interface) watch.Interface {
	if s == nil {
		return opened
	}
	return watch.Filter(opened, func(event watch.Event) (watch.Event, bool) {
		if event.Type == watch.Bookmark || event.Type == watch.Error {
			return event, true
		}
		has, err := s.Matches(event.Object)
		return event, has || err != nil // the reflector reports what is no object
	})
}
