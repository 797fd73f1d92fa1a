package proof

import (
	"context"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// KeptNames returns the Go names of groups that the checked-in clients of a configuration's outputs determine. A configuration that
// generate would not accept yet keeps none.
func KeptNames(ctx context.Context, dir, text string) []map[string]any {
	all, err := pipeline.Configured(filepath.Join(dir, config.FileName), text, false)
	if err != nil {
		return nil
	}
	kept := make([]map[string]any, len(all))
	for i, opts := range all {
		if api, _, err := pipeline.Read(ctx, opts); err == nil && len(api.Resolved.KeptGoNames) > 0 {
			kept[i] = map[string]any{config.GroupGoNamesKey: api.Resolved.KeptGoNames}
		}
	}
	return kept
}
