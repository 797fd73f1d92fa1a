package definitions

import "strings"

// table has the fields that generated code knows, see informer.Source.WithFields.
type table struct {
	// kinds are by resource, such as "fleet.example.com/v1/robots", and types by their names in the table.
	kinds map[string]kind
	types map[string][]field
}

// kind is a kind of a table. Type is the name of its type.
type kind struct{ name, typ string }

// field is a field of a type. Of is the type of its value, such as "[]fleet/v1.Joint" or "{}fleet/v1.Joint", or "" if that has no fields.
type field struct{ name, of string }

// parse reads lines such as
//
//	fleet.example.com/v1/robots Robot fleet/v1.Robot
//	fleet/v1.Robot: metadata spec=fleet/v1.RobotSpec
func parse(text string) table {
	t := table{map[string]kind{}, map[string][]field{}}
	for line := range strings.Lines(text) {
		name, row, isType := strings.Cut(line, ":")
		if words := strings.Fields(line); !isType && len(words) == 3 {
			t.kinds[words[0]] = kind{words[1], words[2]}
		}
		if !isType {
			continue
		}
		for word := range strings.FieldsSeq(row) {
			field := field{}
			field.name, field.of, _ = strings.Cut(word, "=")
			t.types[name] = append(t.types[name], field)
		}
	}
	return t
}
