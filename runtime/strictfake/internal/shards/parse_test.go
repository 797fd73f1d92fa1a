package shards

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	lower = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"
	upper = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')"
)

// TestParse reads selectors that a server accepts, see the probes "spelled" in test/contract.
func TestParse(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"canonical":     {lower, lower},
		"two":           {lower + " || " + upper, lower + " || " + upper},
		"brackets":      {"((" + upper + ")||(" + lower + "||" + upper + "))", upper + " || " + lower + " || " + upper},
		"spaces":        {"\n shardRange\t( object . metadata. uid,'0x0000000000000000','0x8000000000000000' )\r\n", lower},
		"comment":       {"// " + upper + "\n" + lower + "//", lower},
		"double quotes": {strings.ReplaceAll(lower, "'", `"`), lower},
		"triple quotes": {strings.ReplaceAll(lower, "'", `"""`), lower},
		"raw":           {strings.ReplaceAll(lower, "'0x8000000000000000'", `R'0x8000000000000000'`), lower},
		"escapes":       {strings.ReplaceAll(lower, "'0x8", `'\x30\u0078\070`), lower},
		"inner":         {strings.ReplaceAll(lower, "object.metadata", "((object).metadata)"), lower},
		"method":        {"object.metadata." + lower, lower},
		"namespace":     {strings.ReplaceAll(lower, "uid", "namespace"), strings.ReplaceAll(lower, "uid", "namespace")},
	} {
		t.Run(name, func(t *testing.T) {
			selector, err := Parse(test.text)
			require.NoError(t, err)
			assert.Equal(t, test.want, selector.String())
		})
	}
}

// TestParseErrors reads what is no CEL, or CEL that this package does not know. The other errors are probes in test/contract.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"shardRange(":               "<EOF>",
		lower + " ||":               "<EOF>",
		lower + " " + upper:         "shardRange",
		"|| " + lower:               "||",
		lower + ")":                 ")",
		"(" + lower:                 "<EOF>",
		"shardRange(object.,'','')": ",",
		"shardRange(a b)":           "b",
		"shardRange(a,)":            ")",
		"shardRange(,a)":            ",",
		"shardRange(a.1)":           "1",
		"shardRange('a)":            "'",
		`shardRange('\q')`:          `'\q'`,
		`shardRange('a` + "\n')":    "'",
		lower + " | " + upper:       "|",
		"object.metadata.uid > ''":  ">",
		"[1]":                       "[",
		"!a":                        "!",
		"é":                         "é",
		"a. || b":                   "||",
		". || b":                    "||",
	} {
		selector, err := Parse(text)
		assert.EqualError(t, err, "CEL parse error: Syntax error: unexpected '"+want+"' in a shard selector", text)
		assert.Nil(t, selector, text)
	}
	for text, want := range map[string]string{
		" ":                                 "empty shard selector is not allowed; omit the parameter for unfiltered lists",
		"''":                                "unexpected expression kind 5; expected shardRange() call or || operator",
		"'''a'''.b":                         "unexpected expression kind 7; expected shardRange() call or || operator",
		lower + "&&" + lower:                `unsupported function "_&&_"; only shardRange() and || are allowed`,
		lower + "||" + lower + "&&" + lower: `unsupported function "_&&_"; only shardRange() and || are allowed`,
		"shardRange(5, true, null)":         "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5",
		"shardRange('a'.b, true, null)":     "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5",
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, want, text)
	}
}

// FuzzParse checks that all texts are parsed to the end, and that selectors are canonical.
func FuzzParse(f *testing.F) {
	for _, text := range []string{lower, lower + "||(" + upper + ")", `a.b('\x30',R"""\""")&&.c//d`, "((("} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		selector, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(selector.String())
		require.NoError(t, err)
		assert.Equal(t, selector, again)
	})
}
