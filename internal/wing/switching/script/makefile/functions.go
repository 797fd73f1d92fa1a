package makefile

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// function is a function of its arguments.
type function struct {
	arguments int
	call      func(args []string) string
}

// made calls a function unless its result may be too large: most functions put one argument before, after or instead of parts of the next.
func (f function) made(args []string) string {
	size := len(args[len(args)-1]) + 1
	if len(args) > 1 {
		size *= len(args[len(args)-2]) + 1
	}
	if size > maxMade {
		return tooLong
	}
	return bounded(f.call(args))
}

var functions = map[string]function{
	"subst":      {3, func(a []string) string { return strings.ReplaceAll(a[2], a[0], a[1]) }},
	"patsubst":   {3, func(a []string) string { return patsubst(strings.TrimSpace(a[0]), strings.TrimSpace(a[1]), a[2]) }},
	"strip":      {1, func(a []string) string { return strings.Join(strings.Fields(a[0]), " ") }},
	"filter":     {2, func(a []string) string { return filter(a[0], a[1], true) }},
	"filter-out": {2, func(a []string) string { return filter(a[0], a[1], false) }},
	"findstring": {2, func(a []string) string {
		if strings.Contains(a[1], a[0]) {
			return a[0]
		}
		return ""
	}},
	"sort": {1, func(a []string) string {
		return strings.Join(slices.Compact(slices.Sorted(strings.FieldsSeq(a[0]))), " ")
	}},
	"word":      {2, func(a []string) string { return word(strings.Fields(a[1]), number(a[0])) }},
	"words":     {1, func(a []string) string { return strconv.Itoa(len(strings.Fields(a[0]))) }},
	"firstword": {1, func(a []string) string { return word(strings.Fields(a[0]), 1) }},
	"lastword":  {1, func(a []string) string { return word(strings.Fields(a[0]), len(strings.Fields(a[0]))) }},
	"dir":       {1, func(a []string) string { return each(a[0], func(w string) string { return path.Dir(w+"x") + "/" }) }},
	"notdir":    {1, func(a []string) string { return each(a[0], func(w string) string { _, f := path.Split(w); return f }) }},
	"suffix":    {1, func(a []string) string { return each(a[0], path.Ext) }},
	"basename": {1, func(a []string) string {
		return each(a[0], func(w string) string { return strings.TrimSuffix(w, path.Ext(w)) })
	}},
	"addprefix": {2, func(a []string) string { return each(a[1], func(w string) string { return a[0] + w }) }},
	"addsuffix": {2, func(a []string) string { return each(a[1], func(w string) string { return w + a[0] }) }},
}

// each maps every word of a list.
func each(list string, f func(string) string) string {
	words := strings.Fields(list)
	for i, word := range words {
		words[i] = f(word)
	}
	return strings.Join(words, " ")
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(text))
	return n
}

// word returns a word of a list, counted from 1.
func word(words []string, n int) string {
	if n < 1 || n > len(words) {
		return ""
	}
	return words[n-1]
}

// match reports whether a word matches a pattern with %, and returns the text for %.
func match(pattern, word string) (stem string, ok bool) {
	before, after, wild := strings.Cut(pattern, "%")
	if !wild {
		return "", pattern == word
	}
	if len(word) < len(before)+len(after) || !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		return "", false
	}
	return word[len(before) : len(word)-len(after)], true
}

func patsubst(from, to, list string) string {
	return each(list, func(word string) string {
		if stem, ok := match(from, word); ok {
			return strings.Replace(to, "%", stem, 1)
		}
		return word
	})
}

// filter returns the words that match one of the patterns, or none.
func filter(patterns, list string, wanted bool) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(list), func(word string) bool {
		matches := slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
			_, ok := match(pattern, word)
			return ok
		})
		return matches != wanted
	}), " ")
}
