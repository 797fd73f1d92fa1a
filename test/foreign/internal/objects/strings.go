package objects

import (
	"encoding/base64"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// plainStrings are values for strings without constraints: the empty string, texts that look like other types, and other scripts.
var plainStrings = []string{"", "a", "value", "two words", "true", "1", "null", "10Gi", "ünï😀", "a\nb", `{"a": 1}`, "<&>"}

// formats are values by format. Values of metav1.Time have no fractions of seconds and are in UTC.
var formats = map[string][]string{
	"date-time":                         {"2024-02-29T23:59:59Z", "1970-01-01T00:00:01Z"},
	"date":                              {"2024-02-29"},
	"duration":                          {"1h30m", "5s", "0s"},
	"byte":                              {base64.StdEncoding.EncodeToString([]byte("bytes")), ""},
	"uuid":                              {"123e4567-e89b-42d3-a456-426614174000"},
	"uuid4":                             {"123e4567-e89b-42d3-a456-426614174000"},
	"ipv4":                              {"10.0.0.1"},
	"ipv6":                              {"2001:db8::1"},
	"ip":                                {"10.0.0.1", "2001:db8::1"},
	"cidr":                              {"10.0.0.0/8", "2001:db8::/32"},
	"mac":                               {"00:00:5e:00:53:01"},
	"email":                             {"someone@example.com"},
	"uri":                               {"https://example.com/path?query=1"},
	"hostname":                          {"host.example.com"},
	"k8s-short-name":                    {"name", "name-1"},
	"k8s-long-name":                     {"name.example.com"},
	"k8s-long-name-caseless":            {"Name.example.com"},
	"k8s-label-key":                     {"example.com/name"},
	"k8s-label-value":                   {"value"},
	"k8s-uuid":                          {"123e4567-e89b-42d3-a456-426614174000"},
	"k8s-resource-fully-qualified-name": {"example.com/name"},
}

// likelyStrings are further values for strings that rules in CEL check: names, addresses, references and times.
var likelyStrings = []string{
	"name", "host.example.com", "https://example.com/path", "10.0.0.1", "10.0.0.0/8", "8080", "* * * * *", "0 3 * * *", "1h30m", "true",
	"example.com/namespace/image:latest", "example.com/namespace/image@sha256:" + digest, digest, "key=value", "example.com/name",
}

var digest = strings.Repeat("0123456789abcdef", 4)

// specialPatterns have values for patterns that accept more than any program parses, such as the quantity "1e.5".
var specialPatterns = []struct {
	contains string
	values   []string
}{
	{`(([KMGTPE]i)|[numkMGTPE]|`, []string{"1", "0", "100m", "1500Mi", "2Gi", "1e3", "0.5"}},
	{`(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)`, []string{"1", "100m", "2Gi"}},
}

// text returns a string of a length between two limits that matches a pattern, if there are any, or the best that was found.
func (m *Maker) text(pattern, format string, shortest, longest int64) string {
	for _, special := range specialPatterns {
		if strings.Contains(pattern, special.contains) {
			return pick(m.rand, special.values)
		}
	}
	if values := formats[format]; values != nil && pattern == "" {
		return pick(m.rand, values)
	}
	fits := func(s string) bool {
		n := int64(utf8.RuneCountInString(s))
		return n >= shortest && n <= longest
	}
	if pattern == "" {
		return m.plainText(fits, shortest)
	}
	expression, err := syntax.Parse(pattern, syntax.Perl)
	compiled, compileErr := regexp.Compile(pattern)
	if err != nil || compileErr != nil {
		return ""
	}
	best := ""
	for _, values := range append([][]string{plainStrings}, formats["uri"], formats["hostname"], formats["duration"], formats["cidr"]) {
		for _, value := range values {
			if m.chance(0.2) && fits(value) && compiled.MatchString(value) {
				return value
			}
		}
	}
	for try := range 60 {
		// More repetitions with every try, until the shortest length is reached.
		best = matching(m.rand, expression, 1+try/6*int(min(shortest, 20)+1)/4)
		if fits(best) && compiled.MatchString(best) {
			return best
		}
	}
	return best
}

func (m *Maker) plainText(fits func(string) bool, shortest int64) string {
	for range 10 {
		if value := pick(m.rand, plainStrings); fits(value) {
			return value
		}
	}
	return strings.Repeat("x", int(max(shortest, 1)))
}

// matching returns a string that a regular expression probably matches. It repeats at most some times.
func matching(r *rand.Rand, e *syntax.Regexp, repeat int) string {
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass:
		return string(member(r, e.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune('a' + r.IntN(26)))
	case syntax.OpCapture:
		return matching(r, e.Sub[0], repeat)
	case syntax.OpStar:
		return repeated(r, e.Sub[0], 0, repeat, repeat)
	case syntax.OpPlus:
		return repeated(r, e.Sub[0], 1, 1+repeat, repeat)
	case syntax.OpQuest:
		return repeated(r, e.Sub[0], 0, 1, repeat)
	case syntax.OpRepeat:
		most := e.Min + repeat
		if e.Max >= 0 {
			most = min(most, e.Max)
		}
		return repeated(r, e.Sub[0], e.Min, most, repeat)
	case syntax.OpConcat:
		var all strings.Builder
		for _, sub := range e.Sub {
			all.WriteString(matching(r, sub, repeat))
		}
		return all.String()
	case syntax.OpAlternate:
		return matching(r, pick(r, e.Sub), repeat)
	default:
		return "" // positions, such as the beginning
	}
}

func repeated(r *rand.Rand, e *syntax.Regexp, least, most, repeat int) string {
	var all strings.Builder
	for range least + r.IntN(most-least+1) {
		all.WriteString(matching(r, e, repeat))
	}
	return all.String()
}

// member returns a character of a class, given as pairs of first and last ones; if possible a printable one of ASCII.
func member(r *rand.Rand, class []rune) rune {
	var printable []rune
	for i := 0; i < len(class); i += 2 {
		for c := max(class[i], ' '+1); c <= min(class[i+1], '~'); c++ {
			printable = append(printable, c)
		}
	}
	if len(printable) > 0 {
		return pick(r, printable)
	}
	return class[0]
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }
