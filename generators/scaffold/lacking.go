package scaffold

import "strings"

// Lack is something that a kept file does not have.
type Lack struct{ Problem, Hint string }

// Lacking returns what a kept file does not have of the wanted text: resources of the kustomization, and controllers and leases of the
// command with a name.
func Lacking(file, command, wanted, existing string) (all []Lack) {
	lacks := func(text, problem, hint string) {
		if !strings.Contains(existing, text) {
			all = append(all, Lack{problem, hint})
		}
	}
	for line := range strings.Lines(wanted) {
		line = strings.TrimSpace(line)
		resource, listed := strings.CutPrefix(line, "- ")
		_, leases, holds := strings.Cut(line, "manager.AlsoHold(")
		switch {
		case file == Kustomization && listed && strings.HasSuffix(resource, ".yaml"):
			lacks(line, "the kustomization lacks "+resource, "add it to resources")
		case file != MainFile(command):
		case strings.HasSuffix(line, ".Add(m),"):
			call := strings.TrimSuffix(line, ",")
			lacks(line, "the command does not run the controller of package "+strings.TrimSuffix(call, ".Add(m)"),
				"import its package, and add "+call+" to the others")
		case holds:
			for lease := range strings.SplitSeq(strings.TrimRight(leases, ")"), ", ") {
				lacks(lease, "the command does not hold the lease "+lease,
					"pass it to manager.AlsoHold, or the earlier command reconciles at the same time")
			}
		}
	}
	return all
}
