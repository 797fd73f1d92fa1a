package shards

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// kind is the kind of an expression. The numbers are CEL's, which errors contain.
type kind int

const (
	call       kind = 1
	identifier kind = 3
	literal    kind = 5
	selection  kind = 7
)

// node is an expression.
type node struct {
	kind kind
	// text is the name of a function, variable or field, or the content of a string.
	text string
	// goType is the Go type of a literal.
	goType string
	// nodes are the arguments of a call, or the object of a selection. A server ignores the object of a method call.
	nodes []*node
}

// tokens matches one token, after spaces and comments: a string, a number, a name, an operator. The rest of CEL is anything else.
var tokens = regexp.MustCompile(`^(?:[ \t\r\n\f]|//[^\n]*)*(?:` +
	`([rR]?(?:"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'))|` +
	`([0-9]+)|([_a-zA-Z][_a-zA-Z0-9]*)|(\|\||&&|[(),.])|(?s:(.|$)))`)

// The groups of tokens.
const (
	isText = iota + 1
	isNumber
	isName
	isOperator
)

// parser reads an expression.
type parser struct {
	rest string
	// group is the group of the next token, and token its text.
	group int
	token string
	err   error
}

// parse returns an expression, or an error if the text is something else.
func parse(text string) (*node, error) {
	p := &parser{rest: text}
	p.next()
	root := p.binary("||", "&&")
	if p.token != "" {
		p.fail()
	}
	return root, p.err
}

// next moves to the next token.
func (p *parser) next() {
	found := tokens.FindStringSubmatch(p.rest)
	p.rest = p.rest[len(found[0]):]
	p.group, p.token = 0, found[len(found)-1]
	for group := isText; group <= isOperator; group++ {
		if found[group] != "" {
			p.group, p.token = group, found[group]
		}
	}
}

// fail keeps the first error, and ends the text.
func (p *parser) fail() {
	if p.err == nil && p.token == "" {
		p.token = "<EOF>"
	}
	if p.err == nil {
		p.err = fmt.Errorf("CEL parse error: Syntax error: unexpected '%s' in a shard selector", p.token)
	}
	p.rest, p.group, p.token = "", 0, ""
}

// accept reports whether the next token is an operator, and moves past it.
func (p *parser) accept(operator string) bool {
	if p.group != isOperator || p.token != operator {
		return false
	}
	p.next()
	return true
}

// expect moves past an operator.
func (p *parser) expect(operator string) {
	if !p.accept(operator) {
		p.fail()
	}
}

// binary reads calls that operators connect. The last operator binds most.
func (p *parser) binary(operators ...string) *node {
	if len(operators) == 0 {
		return p.member()
	}
	left := p.binary(operators[1:]...)
	for p.accept(operators[0]) {
		left = &node{kind: call, text: "_" + operators[0] + "_", nodes: []*node{left, p.binary(operators[1:]...)}}
	}
	return left
}

// member reads an expression with its fields and methods.
func (p *parser) member() *node {
	n := p.primary()
	for p.accept(".") {
		if n = p.named(n, ""); n.kind == identifier {
			n.kind = selection
		}
	}
	return n
}

// named reads a variable, a field of an object, or a call. The prefix is a part of its name.
func (p *parser) named(object *node, prefix string) *node {
	n := &node{kind: identifier, text: prefix + p.token, nodes: []*node{object}}
	if p.group != isName {
		p.fail()
		return n
	}
	p.next()
	if p.accept("(") {
		n.kind, n.nodes = call, p.arguments()
	}
	return n
}

// arguments reads the arguments of a call, with the closing bracket.
func (p *parser) arguments() (all []*node) {
	for !p.accept(")") && p.err == nil {
		if len(all) > 0 {
			p.expect(",")
		}
		all = append(all, p.binary("||", "&&"))
	}
	return all
}

// constants are the Go types of names that are literals.
var constants = map[string]string{"true": "bool", "false": "bool", "null": "structpb.NullValue"}

// primary reads a literal, a variable, a call, or an expression in brackets.
func (p *parser) primary() *node {
	n := &node{kind: literal}
	switch {
	case p.accept("("):
		n = p.binary("||", "&&")
		p.expect(")")
		return n
	case p.accept("."):
		return p.named(nil, ".")
	case p.group == isText:
		n.goType, n.text = "string", p.unquoted()
	case p.group == isNumber:
		n.goType = "int64"
	case constants[p.token] != "":
		n.goType = constants[p.token]
	default:
		return p.named(nil, "")
	}
	p.next()
	return n
}

// unquoted returns the content of a string. A mistake in it is an error.
func (p *parser) unquoted() string {
	text, isRaw := strings.CutPrefix(strings.Replace(p.token, "R", "r", 1), "r")
	quotes := text[:1]
	if triple := strings.Repeat(quotes, 3); len(text) >= 2*len(triple) && strings.HasPrefix(text, triple) {
		quotes = triple
	}
	text = text[len(quotes) : len(text)-len(quotes)]
	content := &strings.Builder{}
	for !isRaw && strings.Contains(text, `\`) {
		c, _, rest, err := strconv.UnquoteChar(text, quotes[0])
		if err != nil {
			p.fail()
			return ""
		}
		content.WriteRune(c)
		text = rest
	}
	return content.String() + text
}
