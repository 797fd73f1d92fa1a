package verbs

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/shards"
)

// shard is the part of a list or watch that a client wants, or nil for everything.
type shard = sharding.Selector

// setShard sets the shard of a list or watch. Servers without shards ignore the selector.
func (r *request) setShard(selector string) (err error) {
	if r.server.sharded {
		r.shard, err = shards.Requested(selector, r.server.is38)
	}
	return err
}

// showShard says in a list which shard it is. Lists of custom resources do not in all releases.
func (r *request) showShard(list metav1.ListInterface) {
	if r.server.is38 || r.kind.BuiltIn {
		shards.Show(list, r.shard)
	}
}
