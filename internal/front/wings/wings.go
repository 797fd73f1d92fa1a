// Package wings lists the products alongside the generators.
package wings

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching"
)

// All are the wings, in the order in which they work and in which help lists their commands.
var All = []run.Wing{importing.Wing, cluster.Wing, switching.Wing, scaffold.Wing}
