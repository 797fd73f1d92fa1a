package shell

import (
	"errors"
	"regexp"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Scripts that call generators stay far below these limits. They end scripts that would take all memory, or hours.
const (
	// maxSteps is how many statements are followed, loops counted each time.
	maxSteps = 1 << 16
	// maxText is how long a value gets, in bytes, and maxList how many elements an array.
	maxText, maxList = 1 << 20, 1 << 14
	// maxFields is how long all fields of a word get, in bytes.
	maxFields = 1 << 24
	// maxWork is the length of all texts that words are expanded to, and of all variables that subshells copy.
	maxWork = 1 << 28
	// maxNested is how many words and signs a text may have that can nest. The parser calls itself for each.
	maxNested = 1 << 14
)

// errTooLong is why a value or an output is not known that grows and grows.
var errTooLong = errors.New("a text that is too long to be followed")

// nests matches what makes the parser call itself.
var nests = regexp.MustCompile("[({[`!]|\\b(?:if|while|until|for|case|select|time|function|coproc)\\b")

// tooNested returns the offset at which a text may be nested too deeply to be parsed; -1 if it is not.
func tooNested(text []byte) int {
	if len(text) <= maxNested {
		return -1
	}
	if found := nests.FindAllIndex(text, maxNested+1); len(found) > maxNested {
		return found[maxNested][0]
	}
	return -1
}

// afford takes note of the work of expanding a word. It returns errTooLong if that would be too much for one word, or for a script.
func (s *script) afford(word *syntax.Word) error {
	length, fields := s.length(word), fields(word)
	if length > maxText || fields > maxList || length*fields > maxFields {
		return errTooLong
	}
	if s.work += length * fields; s.work > maxWork {
		return errTooLong
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
			if n.Repl != nil && n.Repl.With != nil {
				value *= 1 + s.length(n.Repl.With)
			}
			total += value
		}
		total = min(total, maxText+1)
		return total <= maxText
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
			sum = min(sum+count(element), maxList+1)
		}
		if braces.Sequence {
			sum = min(sequence(braces.Elems), maxList+1)
		}
		product = min(product*sum, maxList+1)
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
