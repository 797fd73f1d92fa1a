// Package spelling finds the name that a user may have meant. It knows no names.
package spelling

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the candidate closest to name, or "" if none is close enough.
func Nearest(name string, candidates []string) string { return Within(1+len(name)/3, name, candidates) }

// Within returns the candidate closest to name, ignoring case, if at most limit letters differ.
func Within(limit int, name string, candidates []string) string {
	lower, length, best := strings.ToLower(name), utf8.RuneCountInString(name), ""
	for _, candidate := range candidates {
		if n := utf8.RuneCountInString(candidate); max(n-length, length-n) > limit {
			continue // the distance is at least the difference in length, which excludes most names
		}
		if d := levenshtein.ComputeDistance(lower, strings.ToLower(candidate)); d <= limit {
			best, limit = candidate, d-1
		}
	}
	return best
}

// DidYouMean returns a hint with the candidate closest to name, or the other hint if none is close enough.
func DidYouMean(name string, candidates []string, otherwise string) string {
	if nearest := Nearest(name, candidates); nearest != "" {
		return "did you mean " + nearest + "?"
	}
	return otherwise
}
