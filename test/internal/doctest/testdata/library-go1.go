package block

import (
	"context"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

func generate(ctx context.Context) error {
	// BLOCK
}
