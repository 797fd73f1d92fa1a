package render

import "strings"

// Statements is text of statements that nest, formatted as part of the body of a function. Each line begins with a line break.
type Statements struct {
	strings.Builder

	// Indent is the white space before a line.
	Indent string
}

// Line writes a line.
func (s *Statements) Line(parts ...string) {
	s.WriteString("\n")
	s.WriteString(s.Indent)
	for _, part := range parts {
		s.WriteString(part)
	}
}

// Block writes a block with its head, which may be empty.
func (s *Statements) Block(head string, body func()) {
	if s.Line(head); head != "" {
		s.WriteString(" ")
	}
	s.Body(body)
}

// Else continues a block of an if statement.
func (s *Statements) Else(body func()) {
	s.WriteString(" else ")
	s.Body(body)
}

// Body writes a block whose head has been written.
func (s *Statements) Body(body func()) {
	s.WriteString("{")
	s.Indent += "\t"
	body()
	s.Indent = s.Indent[1:]
	s.Line("}")
}
