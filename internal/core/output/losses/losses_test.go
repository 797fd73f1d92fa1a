package losses

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const definition = `# A comment.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.14.0
  creationTimestamp: null
  name: robots.fleet.example.com
spec:
  group: fleet.example.com
  names:
    kind: Robot
    shortNames: [bot]
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: Robot is a robot.
        properties:
          description:
            type: string
          wheels:
            maximum: 4
            type: integer
        required: [wheels]
    served: true
status:
  storedVersions: []
`

func TestManifest(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: robots.fleet.example.com\n"
	const rules = "kind: Role\nmetadata: {name: a, namespace: b}\nrules:\n"
	for name, test := range map[string]struct {
		before, after string
		want          []string
	}{
		"the same":                  {definition, definition, nil},
		"comments and descriptions": {definition, strings.ReplaceAll(definition[len("# A comment.\n"):], "        description: Robot is a robot.\n", ""), nil},
		"all of the specification":  {definition, head, []string{"spec"}},
		"parts": {
			definition, head + `spec:
  group: other.example.com
  names: {kind: Robot}
  versions:
  - name: v1
    schema: {openAPIV3Schema: {properties: {description: {type: integer}, wheels: {type: integer}}}}
`,
			[]string{
				"spec.names.shortNames", "spec.versions[v1].schema.openAPIV3Schema.properties.wheels.maximum",
				"spec.versions[v1].schema.openAPIV3Schema.required", "spec.versions[v1].served",
			},
		},
		"a version":               {definition, head + "spec: {group: a, names: {kind: b, shortNames: [bot]}, versions: [{name: v2}]}\n", []string{"spec.versions[v1]"}},
		"labels":                  {head + "  labels: {a: b}\n  annotations: {c: d}\n", head, []string{"metadata.annotations", "metadata.labels"}},
		"one of two labels":       {head + "  labels: {a: b, c: d}\n", head + "  labels: {a: x}\n", []string{"metadata.labels.c"}},
		"a document":              {definition + "---\nkind: ConfigMap\nmetadata: {name: x, namespace: y}\n", definition, []string{"ConfigMap y/x"}},
		"a version of no content": {head + "spec: {versions: [{name: v1}, {name: v2}]}", head + "spec: {versions: [{name: v2}]}", []string{"spec.versions[v1]"}},
		"elements of a set":       {head + "spec: {names: {shortNames: [a, b]}}", head + "spec: {names: {shortNames: [b, c]}}", []string{"spec.names.shortNames[a]"}},
		"elements, unnamed":       {head + "spec: {x: [{a: 1}, {b: 2}]}", head + "spec: {x: [{b: 2, c: 3}]}", []string{"spec.x[0]"}},
		"a map":                   {head + "spec: {x: {a: 1}}", head + "spec: {x: 1}", []string{"spec.x"}},
		"a template":              {"{{ if .Values.crds }}\n" + definition + "{{ end }}\n", definition, []string{"text that is not YAML, as in templates"}},
		"permissions":             {rules + "- {apiGroups: [apps], resources: [x, y], verbs: [get, list]}\n", rules + "- {apiGroups: [apps], resources: [x], verbs: [get, list]}\n- {apiGroups: [apps], resources: [y], verbs: [get]}\n", []string{"rules[list y.apps]"}},
		"a wildcard for verbs":    {rules + "- {apiGroups: [apps], resources: [x/status], verbs: [get]}\n", rules + "- {apiGroups: [apps], resources: ['*'], verbs: ['*']}\n", nil},
		"all names":               {rules + "- {apiGroups: [''], resources: [x], verbs: [get], resourceNames: [n]}\n", rules + "- {apiGroups: [''], resources: [x], verbs: [get]}\n", nil},
		"one name":                {rules + "- {apiGroups: [''], resources: [x], verbs: [get]}\n", rules + "- {apiGroups: [''], resources: [x], verbs: [get], resourceNames: [n]}\n", []string{"rules[get x]"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, Manifest([]byte(test.before), []byte(test.after)))
		})
	}
}

func TestGo(t *testing.T) {
	const header = "// Copyright The Authors\n\n"
	for name, test := range map[string]struct {
		before, after, other string
		want                 []string
	}{
		"the same":                 {"package a\nfunc F() {}\n", "package a\nfunc F(int) {}\n", "", nil},
		"unexported":               {"package a\nfunc f() {}\n", "package a\n", "", nil},
		"declarations":             {"package a\nfunc F() {}\nvar V, w int\nconst C = 1\ntype T int\n", "package a\n", "", []string{"C", "F", "T", "V"}},
		"to another file":          {"package a\nfunc F() {}\n", "package a\n", "package a\nvar F int\n", nil},
		"methods and fields":       {"package a\ntype T struct{ A, b int }\nfunc (t *T) M() {}\ntype I interface { N() }\n", "package a\ntype T struct{}\ntype I any\n", "", []string{"I.N", "T.A", "T.M"}},
		"a generic type":           {"package a\ntype T[X, Y any] struct{}\nfunc (t *T[X, Y]) M() {}\n", "package a\ntype T[X, Y any] struct{}\n", "", []string{"T.M"}},
		"a type that is elsewhere": {"package a\nfunc (t T) M() {}\n", "package a\n", "package a\ntype T int\n", []string{"T.M"}},
		"a type that is gone":      {"package a\nfunc (t T) M() {}\n", "package a\n", "", nil},
		"constraints":              {"// +build !x\n\npackage a\n", "//go:build !x\n\npackage a\n", "", nil},
		"no constraint":            {"//go:build x && y\n\npackage a\n", "package a\n", "", []string{"the build constraint x && y"}},
		"another year":             {header + "package a\n", "// Copyright 2026\npackage a\n", "", nil},
		"no license":               {header + "package a\n", "// Package a is one.\npackage a\n", "", []string{License}},
		"a block":                  {"/*\nLicensed under X\n*/\n\npackage a\n", "package a\n", "", []string{License}},
		"a license below":          {"package a\n\n// Licensed is declared here.\nvar x int\n", "package a\n", "", nil},
		"no Go":                    {"package", "package a\n", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			others := func() [][]byte { return [][]byte{[]byte(test.other)} }
			lost := Go([]byte(test.before), []byte(test.after), others)
			assert.Equal(t, strings.Join(test.want, "\n"), strings.Join(lost, "\n"))
		})
	}
}
