package shell

import (
	"bytes"
	"go/token"
	"regexp"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// opens matches tokens that make the parser recurse.
var opens = regexp.MustCompile("[({[`!]|\\b(?:if|while|until|for|case|select|time|function|coproc)\\b")

// parseable gives up texts that may be too much for the parser: the stack that it takes is not limited otherwise.
func (s *script) parseable(text []byte) bool {
	if len(text) > budget.File {
		s.budget.At(token.Position{Filename: s.file, Line: s.firstLine + 1})
		s.budget.GiveUp("%d KiB of script", budget.File>>10)
		return false
	}
	found := opens.FindAllIndex(text, budget.Opened+1)
	if len(found) <= budget.Opened {
		return s.budget.Text(len(text))
	}
	at := found[budget.Opened][0]
	s.budget.At(token.Position{
		Filename: s.file, Line: bytes.Count(text[:at], []byte("\n")) + 1 + s.firstLine, Column: at - bytes.LastIndexByte(text[:at], '\n'),
	})
	s.budget.GiveUp("%d opening brackets and keywords", budget.Opened)
	return false
}

// shallow gives up scripts that are nested too deeply to be followed.
func (s *script) shallow(parsed *syntax.File) bool {
	depth := 0
	syntax.Walk(parsed, func(node syntax.Node) bool {
		if node == nil {
			depth--
			return true
		}
		if depth++; depth > budget.Nested && s.budget.Err() == nil {
			s.budget.At(s.at(node.Pos()))
			s.budget.GiveUp("%d nested commands or operators", budget.Nested)
		}
		return true
	})
	return s.budget.Err() == nil
}

// patternCost is how much longer it takes to match a pattern than to copy a text.
const patternCost = 16

// afford takes note of the work of expanding a word. It returns an error if that would be too much for one word, or for a script.
func (s *script) afford(word *syntax.Word) error {
	length, fields := s.length(word), fields(word)
	if length > budget.Value || fields > budget.List || !s.budget.Make(length*fields) {
		return budget.ErrTooLong
	}
	return nil
}

// length estimates the length of what a word is expanded to, without its braces. It is never too small, as far as that is made of
// variables.
func (s *script) length(word *syntax.Word) int {
	total := 0
	syntax.Walk(word, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst:
			return false // its output is limited
		case *syntax.Lit:
			total += len(n.Value)
		case *syntax.ParamExp:
			if n.Param == nil {
				break
			}
			value := s.valueLength(n.Param.Value)
			if n.Repl != nil || n.Exp != nil {
				s.budget.Text(value * patternCost)
			}
			if n.Repl != nil && n.Repl.With != nil {
				value *= 1 + s.length(n.Repl.With)
			}
			total += value
		}
		total = min(total, budget.Value+1)
		return total <= budget.Value
	})
	return total
}

// valueLength returns the length of a variable's value.
func (s *script) valueLength(name string) int {
	v, ok := s.vars[name]
	if !ok {
		v = s.Get(name)
	}
	if v.Kind != expand.Indexed {
		return len(v.Str)
	}
	total := 0
	for _, element := range v.List {
		total += len(element) + 1
	}
	return total
}

// fields returns how many fields braces make of a word, up to some more than an array may have.
func fields(word *syntax.Word) int {
	split := *word
	split.Parts = append([]syntax.WordPart(nil), word.Parts...)
	if !syntax.SplitBraces(&split) {
		return 1
	}
	return count(&split)
}

func count(word *syntax.Word) int {
	product := 1
	for _, part := range word.Parts {
		braces, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		for _, element := range braces.Elems {
			sum = min(sum+count(element), budget.List+1)
		}
		if braces.Sequence {
			sum = min(sequence(braces.Elems), budget.List+1)
		}
		product = min(product*sum, budget.List+1)
	}
	return product
}

// sequence returns how many elements {from..to} or {from..to..step} has.
func sequence(elems []*syntax.Word) int {
	var numbers []int
	for _, element := range elems {
		n, err := strconv.Atoi(element.Lit())
		if err != nil {
			return 1 << 8 // letters
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 {
		return 1
	}
	distance, step := numbers[1]-numbers[0], 1
	if distance < 0 {
		distance = -distance
	}
	if len(numbers) > 2 && numbers[2] != 0 {
		if step = numbers[2]; step < 0 {
			step = -step
		}
	}
	return distance/step + 1
}
