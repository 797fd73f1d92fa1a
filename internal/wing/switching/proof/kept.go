package proof

import (
	"context"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// KeptNames returns the Go names of groups that the checked-in clients of a configuration's outputs determine, and diagnostics
// about their packages. A configuration that generate would not accept yet keeps none.
func KeptNames(ctx context.Context, front run.Front, dir, text string) (kept []map[string]any, found diag.List) {
	all, err := front.Parse(false, run.ConfigFile{Name: filepath.Join(dir, option.FileName), Text: []byte(text)})
	if err != nil {
		return nil, nil
	}
	kept = make([]map[string]any, len(all))
	for i, opts := range all {
		api, diags, err := front.Read(ctx, opts)
		found = append(found, diags...)
		if err == nil && len(api.Resolved.KeptGoNames) > 0 {
			kept[i] = map[string]any{option.GroupGoNamesKey: api.Resolved.KeptGoNames}
		}
	}
	return kept, found
}
