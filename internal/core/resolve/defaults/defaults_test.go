package defaults

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// resolved resolves the packages of an archive, and returns what is made for them by the ends of their import paths.
func resolved(t *testing.T, archive string, peers ...string) (map[string]*model.Defaults, diag.List) {
	t.Helper()
	loaded := gotypetest.Load(t, archive)
	SetAside(loaded)
	universe := gotype.NewUniverse(t.Context(), loaded)
	var diags diag.List
	made := map[string]*model.Package{}
	run := source.Run{
		World: shape.NewWorld(universe), Peers: source.Peers{Extra: peers}, Diags: &diags,
		Objects: func(decl *gotype.Decl) bool { return decl.Name() != "NoObject" },
		Made: func(s *source.Package) *model.Package {
			made[s.Path] = &model.Package{Path: s.Path}
			return made[s.Path]
		},
	}
	for _, s := range source.NewReader(universe).ReadAll() {
		s.CheckMarkers(&diags)
		if Requested(s, run.Objects) {
			run.Packages = append(run.Packages, s)
		}
	}
	Resolve(run)
	defaults := map[string]*model.Defaults{}
	for importPath, pkg := range made {
		defaults[strings.TrimPrefix(importPath, gotypetest.Module+"/")] = pkg.Defaults
	}
	return defaults, diags
}

// text describes the functions of a package: a line for each value with a call or a default.
func text(made *model.Defaults) string {
	var b strings.Builder
	for _, defaulted := range made.Types {
		describe(&b, defaulted.Type, defaulted.Root)
	}
	return b.String()
}

func describe(b *strings.Builder, name string, n *model.DefaultNode) {
	if n.Field != "" {
		name += "." + n.Field
	}
	if n.Index {
		name += "[]"
	}
	if n.Key {
		name += "[key]"
	}
	if n.Pointer {
		name += "*"
	}
	for _, call := range n.Calls {
		fmt.Fprintln(b, name, call)
	}
	if d := n.Default; d != nil {
		fmt.Fprintln(b, name, "=", d.Value+d.Type, d.Pointers)
	}
	for _, child := range n.Children {
		describe(b, name, child)
	}
}

const head = "-- p/p.go --\n// +k8s:defaulter-gen=Meta\npackage p\n\ntype Meta struct{}\n\n"

func TestTrees(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"nothing": {in: "type T struct { Meta; Count int }", want: ""},
		"functions in order": {
			in: "type T struct { Meta; Part Part }\ntype Part struct { Piece *Piece }\ntype Piece struct{}\n" +
				"func SetDefaults_T_B(*T) {}\nfunc SetDefaults_T_A(*T) {}\nfunc SetDefaults_T(*T) {}\nfunc SetDefaults_Part(*Part) {}\nfunc SetDefaults_Piece(*Piece) {}",
			want: "T* SetDefaults_T\nT* SetDefaults_T_A\nT* SetDefaults_T_B\nT*.Part SetDefaults_Part\nT*.Part.Piece* SetDefaults_Piece\n",
		},
		"covered": {
			in: "type T struct { Meta; Part Part }\ntype Part struct { Piece Piece }\ntype Piece struct{}\n" +
				"// +k8s:defaulter-gen=covers\nfunc SetDefaults_Part(*Part) {}\nfunc SetDefaults_Piece(*Piece) {}",
			want: "T*.Part SetDefaults_Part\n",
		},
		"covered and more": {
			in: "type T struct { Meta; Part Part }\ntype Part struct { Piece Piece }\ntype Piece struct{}\n" +
				"// +k8s:defaulter-gen=covers\n// +k8s:defaulter-gen=more\nfunc SetDefaults_Part(*Part) {}\nfunc SetDefaults_Piece(*Piece) {}",
			want: "T*.Part SetDefaults_Part\nT*.Part.Piece SetDefaults_Piece\n",
		},
		"other signatures": {
			in:   "type T struct { Meta }\nfunc SetDefaults_T(*T) error { return nil }\nfunc SetDefaults_T_B(T) {}\nfunc (m *Meta) SetDefaults_Meta(*Meta) {}",
			want: "",
		},
		"names for slices and maps": {
			in: "type T struct { Meta; Parts Parts; Map map[string]Text }\ntype Parts []Part\ntype Part struct{}\n" +
				"// +default=\"a\"\ntype Text string\nfunc SetDefaults_Part(*Part) {}\nfunc SetDefaults_Parts(*Parts) {}",
			want: "T*.Parts SetDefaults_Parts\nT*.Parts[] SetDefaults_Part\nT*.Map[key] = \"a\" []\n",
		},
		"the object of another": {
			in:   "type T struct { Meta; Us []U }\ntype U struct { Meta; Part Part }\ntype Part struct{}\nfunc SetDefaults_Part(*Part) {}",
			want: "T*.Us[] SetObjectDefaults_U\nU*.Part SetDefaults_Part\n",
		},
		"a recursive part": {
			in:   "type T struct { Meta; Tree Tree }\ntype Tree struct { Trees []Tree }\nfunc SetDefaults_Tree(*Tree) {}",
			want: "T*.Tree SetDefaults_Tree\n",
		},
		"a recursive object": {
			in:   "type T struct { Meta; Ts []*T }\nfunc SetDefaults_T(*T) {}",
			want: "T* SetDefaults_T\nT*.Ts[]** SetObjectDefaults_T\n",
		},
		"pointers that have to be converted": {
			in:   "type T struct { Meta\n// +default=1\nOne **int\n// +default=1\nOther Two\n}\ntype One *Number\ntype Two *One\ntype Number int",
			want: "T*.One = 1 [{ false} {int false}]\nT*.Other = 1 [{One true} {Number false}]\n",
		},
		"references": {
			in: "type T struct { Meta\n// +default=ref(Own)\nA Text\n// +default=ref(example.com/m/q.Other)\nB *string\n// +default=ref(example.com/m/p.Own)\nC string }\n" +
				"type Text string\nconst Own = \"own\"\n-- q/q.go --\npackage q\nvar Other string",
			want: "T*.A = OwnText []\nT*.B = q.Other [{string false}]\nT*.C = Ownstring []\n",
		},
		"zero values": {
			in:   "type T struct { Meta\n// +default=0\nA int\n// +default=\"\"\nB string\n// +default=0\nC Number\n// +default=0\nD *int }\ntype Number int",
			want: "T*.C = 0 []\nT*.D = 0 [{int false}]\n",
		},
		"the comment above, whatever stands between": {
			in:   "type T struct { Meta\nA int // +default=1\nB int\n}",
			want: "T*.B = 1 []\n",
		},
		"growing types": {in: "type T struct { Meta; G G[int] }\ntype G[X any] struct { Next *G[[]X] }", want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			made, diags := resolved(t, head+test.in+"\n")
			require.False(t, diags.Failed(), diags.Error())
			require.NotNil(t, made["p"])
			assert.Equal(t, test.want, text(made["p"]))
		})
	}
}

func TestPeers(t *testing.T) {
	const archive = head + "type T struct { Meta; Part q.Part; Box Box }\ntype Box struct{}\n" +
		"-- q/q.go --\npackage q\ntype Part struct{}\nfunc SetDefaults_Part(*Part) {}\n"
	in := strings.Replace(archive, "package p\n", "package p\nimport \"example.com/m/q\"\n", 1)
	made, diags := resolved(t, in)
	assert.Empty(t, text(made["p"]))
	assert.Len(t, diags, 1, "a warning")
	made, diags = resolved(t, in, "example.com/m/q")
	assert.Equal(t, "T*.Part q.SetDefaults_Part\n", text(made["p"]))
	assert.Empty(t, diags)
	_, diags = resolved(t, in, "example.com/missing")
	assert.Equal(t, "package example.com/missing, a peer for defaults, cannot be found", diags.First("").Message)
}

// TestOrder resolves types with functions of packages before and after theirs: a type gets a function for the sake of the packages before,
// and then calls those of all.
func TestOrder(t *testing.T) {
	const archive = `
-- b/b.go --
// +k8s:defaulter-gen=Meta
package b

import (
	"example.com/m/a"
	"example.com/m/c"
)

type Meta struct{}

type Before struct { Meta; A a.A; C c.C }

type After struct { Meta; C c.C }
-- a/a.go --
// +k8s:defaulter-gen=Meta
package a

type A struct{}

func SetDefaults_A(*A) {}
-- c/c.go --
// +k8s:defaulter-gen=Meta
package c

type C struct{}

func SetDefaults_C(*C) {}
`
	made, diags := resolved(t, archive)
	assert.False(t, diags.Failed())
	assert.Equal(t, "Before*.A ma.SetDefaults_A\nBefore*.C mc.SetDefaults_C\n", text(made["b"]))
	assert.Empty(t, made["a"].Types, "there is an empty function")
}

func TestFits(t *testing.T) {
	const archive = head + "type T struct { Meta\n// +default=%s\nField %s }\ntype Text string\ntype Part struct{}\nfunc SetDefaults_Part(*Part) {}\n"
	for _, test := range []struct {
		value, typ string
		fits       bool
	}{
		{"1", "int8", true}, {"127", "int8", true}, {"128", "int8", false}, {"-128", "int8", true}, {"-129", "int8", false},
		{"18446744073709551615", "uint64", true}, {"18446744073709551616", "uint64", false}, {"-1", "uint64", false},
		{"1.5", "float32", true}, {"1.0", "int", true}, {"1e3", "int", true}, {"1.5", "*int", false},
		{"true", "bool", true}, {"1", "bool", false}, {`"a"`, "Text", true}, {`"a"`, "*Text", true}, {`1`, "*Text", false},
		{"{}", "Part", false}, {"{}", "*Part", true}, {"[]", "*Part", false}, {"{}", "[2]int", false},
		{`["a"]`, "[]Text", true}, {`[1]`, "[]Text", false}, {`{"a": [1]}`, "map[string][]int", true}, {`{"a": 1}`, "map[string][]int", false},
		{`"YQ=="`, "[]byte", true}, {`"a"`, "[]byte", false}, {`"YQ=="`, "[]int", false}, {"{}", "any", true}, {"{}", "error", false},
		{"null", "*Part", true}, {"null", "*int", false}, {"1", "func()", false},
	} {
		_, diags := resolved(t, fmt.Sprintf(archive, test.value, test.typ))
		assert.Equal(t, test.fits, !diags.Failed(), "%s %s: %v", test.typ, test.value, diags)
	}
}
