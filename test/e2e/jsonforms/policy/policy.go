// Package policy has types that are not part of the generated API.
package policy

// Status is inlined. It has no apply configuration.
type Status struct {
	Ancestors []string `json:"ancestors"`
	Observed  int64    `json:"observed"`
}

// DeepCopyInto copies the status.
func (s *Status) DeepCopyInto(out *Status) {
	*out = *s
	out.Ancestors = append([]string(nil), s.Ancestors...)
}
