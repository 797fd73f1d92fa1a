package scaffold

import "strings"

// Lack is something that a kept file does not have.
type Lack struct{ Problem, Hint string }

// Lacking returns what a kept file does not have of the wanted text: resources of the kustomization, and bindings and controllers of
// the command.
func Lacking(file, command, wanted, existing string) (all []Lack) {
	lacks := func(text, problem, hint string) {
		if !strings.Contains(existing, text) {
			all = append(all, Lack{problem, hint})
		}
	}
	inMetadata := false
	for line := range strings.Lines(wanted) {
		line = strings.TrimSpace(line)
		resource, listed := strings.CutPrefix(line, "- ")
		named := inMetadata
		inMetadata = line == "metadata:"
		switch {
		case file == Kustomization && listed && strings.HasSuffix(resource, ".yaml"):
			lacks(line, "the kustomization lacks "+resource, "add it to resources")
		case file == bindingFile(command) && named:
			lacks(line+"\n", "the manifest lacks the binding "+strings.TrimPrefix(line, "name: "),
				"bind its role to the service account, as the others are")
		case file == MainFile(command) && strings.HasSuffix(line, ".Add(m),"):
			call := strings.TrimSuffix(line, ",")
			lacks(line, "the command does not run the controller of package "+strings.TrimSuffix(call, ".Add(m)"),
				"import its package, and add "+call+" to the others")
		}
	}
	return all
}
