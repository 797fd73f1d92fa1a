package contract

import (
	"fmt"
	"slices"
	"strings"
)

// Result has the answers of a fake to all probes.
type Result struct {
	Fake    Fake
	Answers map[string]string
}

// Table returns a Markdown table of the scores of fakes by group.
func Table(truth map[string]string, results []Result) string {
	text := &strings.Builder{}
	text.WriteString("| group | probes |")
	var scores []map[string]Score
	for _, result := range results {
		fmt.Fprintf(text, " %s |", result.Fake.Name)
		scores = append(scores, Scores(truth, result.Answers))
	}
	text.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(results)) + "\n")
	total := make([]int, len(results))
	for _, group := range groups() {
		fmt.Fprintf(text, "| %s | %d |", title(group), scores[0][group].Probes)
		for i := range results {
			fmt.Fprintf(text, " %d |", scores[i][group].Agree)
			total[i] += scores[i][group].Agree
		}
		text.WriteString("\n")
	}
	fmt.Fprintf(text, "| **all** | **%d** |", len(All()))
	for _, agree := range total {
		fmt.Fprintf(text, " **%d** |", agree)
	}
	return text.String() + "\n"
}

// groups returns the names of the groups in the order of the probes. The group of those that need a definition comes last.
func groups() []string {
	var names []string
	for _, probe := range All() {
		if !probe.NeedsCRD && !slices.Contains(names, probe.Group()) {
			names = append(names, probe.Group())
		}
	}
	return append(names, CRDGroup)
}

func title(group string) string {
	if group == CRDGroup {
		return "needs a CustomResourceDefinition"
	}
	return group
}

// DifferenceTable returns a Markdown table of the probes that a fake does not answer like a server, with the reasons. Probes with
// the same reason share a row.
func DifferenceTable(truth map[string]string, result Result) string {
	probes := map[string][]string{}
	var reasons []string
	for _, probe := range All() {
		if result.Answers[probe.Name] == truth[probe.Name] || probe.NeedsCRD && !result.Fake.CRDs {
			continue
		}
		reason := result.Fake.Differences[probe.Name]
		if probes[reason] == nil {
			reasons = append(reasons, reason)
		}
		probes[reason] = append(probes[reason], "`"+probe.Name+"`")
	}
	text := &strings.Builder{}
	text.WriteString("| reason | probes |\n|---|---|\n")
	for _, reason := range reasons {
		fmt.Fprintf(text, "| %s | %s |\n", reason, strings.Join(probes[reason], ", "))
	}
	return text.String()
}
