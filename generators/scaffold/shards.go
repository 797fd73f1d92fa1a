package scaffold

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// Sharded reports whether replicas of the command share objects.
func (o operator) Sharded() bool {
	return slices.ContainsFunc(o.Kinds, func(kind Controlled) bool { return kind.Kind.Controller.Sharded })
}

// ShardLeases returns the names of the Leases by which they do, separated by commas.
func (o operator) ShardLeases() string { return strings.Join(model.ShardLeases(o.Command()), ", ") }
