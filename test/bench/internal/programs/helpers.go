package programs

import (
	"slices"
)

// helperPrograms are the programs for defaults and conversions.
var helperPrograms = []string{"defaulter-gen", "conversion-gen"}

// Helpers are the packages with defaults and those with conversions.
type Helpers struct {
	Defaults, Conversions []string
	// Peers is the value of --extra-peer-dirs for conversions.
	Peers string
}

// PackageFiles returns the names of the files that the task writes into API packages.
func (t Task) PackageFiles() []string {
	if t.Helpers != nil {
		return []string{"zz_generated.defaults.go", "zz_generated.conversion.go"}
	}
	return []string{"zz_generated.deepcopy.go", "zz_generated.register.go"}
}

// ours returns the arguments of our program, which finds the packages by a pattern, unless that is empty.
func (h *Helpers) ours(pattern, out string) []string {
	args := []string{"generate", "--only", "defaults,conversion", "--output-dir", out, "--output-pkg", outputPackage}
	if h.Peers != "" {
		args = append(args, "--extra-peer-dirs", h.Peers)
	}
	if pattern != "" {
		return append(args, pattern)
	}
	packages := slices.Concat(h.Defaults, h.Conversions)
	slices.Sort(packages)
	return append(args, slices.Compact(packages)...)
}

func (h *Helpers) upstream() [][]string {
	defaults := append([]string{"defaulter-gen", "--output-file", "zz_generated.defaults.go"}, h.Defaults...)
	conversions := []string{"conversion-gen", "--output-file", "zz_generated.conversion.go"}
	if h.Peers != "" {
		conversions = append(conversions, "--extra-peer-dirs", h.Peers)
	}
	return [][]string{defaults, append(conversions, h.Conversions...)}
}
