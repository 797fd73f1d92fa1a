package shell

import (
	"fmt"
	"slices"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// set sets a variable, unless the value is too long: loops may double it each time.
func (s *script) set(name string, v expand.Variable) {
	if len(v.Str) > budget.Value || len(v.List) > budget.List {
		s.forget(name, budget.ErrTooLong.Error())
		return
	}
	s.vars[name] = v
	delete(s.unknown, name)
	delete(s.ambiguous, name)
}

func (s *script) forget(name, why string) {
	delete(s.vars, name)
	s.unknown[name] = why
}

// hide saves the variables that are shadowed by the local variables of a function.
func (s *script) hide(assigns []*syntax.Assign) {
	for _, a := range assigns {
		if a.Name == nil || s.locals == nil {
			continue
		}
		name := a.Name.Value
		if _, done := s.locals[name]; done {
			continue
		}
		if s.locals[name] = nil; s.vars[name].Set {
			hidden := s.vars[name]
			s.locals[name] = &hidden
		}
		delete(s.vars, name)
	}
}

func (s *script) assign(assigns []*syntax.Assign) {
	for _, a := range assigns {
		if a.Name == nil || a.Naked || a.Index != nil {
			continue
		}
		name, words := a.Name.Value, []*syntax.Word{a.Value}
		if a.Array != nil {
			words = nil
			for _, element := range a.Array.Elems {
				words = append(words, element.Value)
			}
		}
		v, why := s.value(words, a.Array != nil)
		old, known := s.vars[name]
		switch {
		case why != "":
			if !known || s.branches == 0 {
				s.forget(name, why)
			}
		case a.Append && known && a.Array != nil:
			s.set(name, expand.Variable{Set: true, Kind: expand.Indexed, List: slices.Concat(old.List, v.List)})
		case a.Append && known:
			s.set(name, text(old.Str+v.Str))
		case s.branches > 0 && known && old.String() != v.String() && old.String() != "":
			s.ambiguous[name] = diag.Diagnostic{
				Pos: s.at(a.Pos()), Message: fmt.Sprintf("%s depends on a condition: using %q, not %q", name, old.String(), v.String()),
			}
		default:
			s.set(name, v)
		}
	}
}

// value returns the value of an assignment, or the reason why it is unknown.
func (s *script) value(words []*syntax.Word, array bool) (v expand.Variable, why string) {
	v = expand.Variable{Set: true, Kind: expand.String}
	if array {
		v.Kind = expand.Indexed
		for _, field := range s.arguments(words) {
			if field.Unknown != "" {
				return v, field.Unknown
			}
			v.List = append(v.List, field.Text)
		}
		return v, ""
	}
	value, err := s.literal(words[0])
	if err != nil {
		return v, s.reason(err)
	}
	v.Str = value
	return v, ""
}
