package marker

import "github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"

// parseSharded reads whether replicas may share the objects of a controller.
func parseSharded(value Written, problems *diag.List) bool {
	if value.Text != "" && value.Text != "true" && value.Text != "false" {
		problems.AddHint(value.Pos, "write sharded=true, or leave it out", "invalid value %q of sharded", value.Text)
	}
	return value.Text == "true"
}

// sharded says that replicas may share the objects, or "".
func (r ControllerRequest) sharded() string {
	if r.Sharded {
		return "sharded"
	}
	return ""
}
