package proof

import (
	"context"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// KeptNames returns the Go names of groups that the checked-in clients of a configuration's outputs determine, and diagnostics
// about their packages. A configuration that generate would not accept yet keeps none.
func KeptNames(ctx context.Context, dir, text string) (kept []map[string]any, found diag.List) {
	all, err := pipeline.Configured(filepath.Join(dir, config.FileName), text, false)
	if err != nil {
		return nil, nil
	}
	kept = make([]map[string]any, len(all))
	for i, opts := range all {
		api, diags, err := pipeline.Read(ctx, opts)
		found = append(found, diags...)
		if err == nil && len(api.Resolved.KeptGoNames) > 0 {
			kept[i] = map[string]any{config.GroupGoNamesKey: api.Resolved.KeptGoNames}
		}
	}
	return kept, found
}
