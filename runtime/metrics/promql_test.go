package metrics_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// query is a dashboard query, in the subset of PromQL that the dashboard uses, with the legend of its results.
type query struct{ expression, legend string }

// functions are the functions and aggregations that the dashboard uses.
var functions = []string{"histogram_quantile", "increase", "max", "rate", "sum"}

var (
	variableName = regexp.MustCompile(`\$(\w+)`)
	legendLabel  = regexp.MustCompile(`{{(\w+)}}`)
	token        = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[a-zA-Z_:][\w:]*|[0-9.]+[a-z]*|[=!<>~]+|\S`)
	identifier   = regexp.MustCompile(`^[a-zA-Z_:]`)
)

// checker collects the problems of a query.
type checker struct {
	tokens   []string
	served   []series
	metrics  []string
	grouped  []string
	problems []string
}

// check returns the problems of a query: metrics and labels that are not served, and selectors without a result.
func check(q query, served []series) []string {
	c := &checker{served: served}
	expression := variableName.ReplaceAllStringFunc(q.expression, func(name string) string {
		value, ok := variables[name[1:]]
		if !ok {
			c.add("no variable %s", name)
		}
		return value
	})
	if len(c.problems) > 0 {
		return c.problems
	}
	c.tokens = token.FindAllString(expression, -1)
	for len(c.tokens) > 0 {
		c.next()
	}
	if len(c.metrics) == 0 {
		c.add("no metric in the query")
	}
	for _, label := range c.grouped {
		c.needLabel(label)
	}
	for _, parts := range legendLabel.FindAllStringSubmatch(q.legend, -1) {
		if label := parts[1]; c.grouped == nil {
			c.needLabel(label)
		} else if !slices.Contains(c.grouped, label) {
			c.add("legend: label %s is lost", label)
		}
	}
	return c.problems
}

func (c *checker) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// take removes the next token and returns it.
func (c *checker) take() string {
	first := c.tokens[0]
	c.tokens = c.tokens[1:]
	return first
}

// ahead reports whether a token is next.
func (c *checker) ahead(token string) bool { return len(c.tokens) > 0 && c.tokens[0] == token }

// next checks the next part of the expression.
func (c *checker) next() {
	switch word := c.take(); {
	case !identifier.MatchString(word), slices.Contains(functions, word):
	case word == "by":
		for _, label := range c.until(")") {
			if identifier.MatchString(label) {
				c.grouped = append(c.grouped, label)
			}
		}
	case c.ahead("("):
		c.add("no function %s", word)
	default:
		c.selector(word)
	}
}

// until removes the tokens up to an end, and returns those before it.
func (c *checker) until(end string) []string {
	i := slices.Index(c.tokens, end)
	if i < 0 {
		c.add("no %s", end)
		i = len(c.tokens) - 1
	}
	before := c.tokens[:i]
	c.tokens = c.tokens[i+1:]
	return before
}

// selector checks that a metric is served with the labels and values of its selector.
func (c *checker) selector(metric string) {
	candidates := slices.DeleteFunc(slices.Clone(c.served), func(s series) bool { return s.name != metric })
	c.metrics = append(c.metrics, metric)
	var matchers []string
	if c.ahead("{") {
		c.take()
		matchers = strings.Split(strings.Join(c.until("}"), " "), " , ")
	}
	if len(candidates) == 0 {
		c.add("no metric %s", metric)
		return
	}
	for _, matcher := range matchers {
		parts := strings.SplitN(matcher, " ", 3)
		if len(parts) < 3 {
			c.add("not a matcher: %s", matcher)
			return
		}
		if !hasLabel(candidates, parts[0]) {
			c.add("%s has no label %s", metric, parts[0])
			return
		}
		candidates = slices.DeleteFunc(candidates, func(s series) bool { return !matches(s.labels[parts[0]], parts[1], parts[2]) })
		if len(candidates) == 0 {
			c.add("nothing matches %s", metric)
			return
		}
	}
}

// needLabel checks that all metrics of the query have a label.
func (c *checker) needLabel(label string) {
	for _, metric := range c.metrics {
		candidates := slices.DeleteFunc(slices.Clone(c.served), func(s series) bool { return s.name != metric })
		if len(candidates) > 0 && !hasLabel(candidates, label) {
			c.add("%s has no label %s", metric, label)
		}
	}
}

func hasLabel(all []series, label string) bool {
	return slices.ContainsFunc(all, func(s series) bool { _, ok := s.labels[label]; return ok })
}

// matches reports whether an operator and a quoted operand select a label value.
func matches(value, operator, quoted string) bool {
	operand, err := strconv.Unquote(quoted)
	if err != nil {
		return false
	}
	pattern, err := regexp.Compile("^(?:" + operand + ")$")
	if err != nil {
		return false
	}
	switch operator {
	case "=":
		return value == operand
	case "!=":
		return value != operand
	case "=~":
		return pattern.MatchString(value)
	case "!~":
		return !pattern.MatchString(value)
	}
	return false
}
