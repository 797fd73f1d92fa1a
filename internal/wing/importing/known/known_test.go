package known

import (
	"go/types"
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

// repository returns the types of the releases that this repository requires.
func repository(t *testing.T) *Types {
	t.Helper()
	dir, err := filepath.Abs(".")
	require.NoError(t, err)
	known, err := Load(t.Context(), dir)
	require.NoError(t, err)
	return known
}

func schema(t *testing.T, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	parsed := &apiextensionsv1.JSONSchemaProps{}
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), parsed))
	return parsed
}

func TestRecognize(t *testing.T) {
	t.Parallel()
	known := repository(t)
	const (
		selector    = "{type: object, required: [key], properties: {key: {type: string}, name: {type: string}, optional: {type: boolean"
		requirement = "{type: object, required: [key, operator], " +
			"properties: {key: {type: string}, operator: {type: string}, values: {type: array, items: {type: string}}}}"
		resources = "{type: object, properties: {limits: {type: object}, requests: {type: object}}}"
		affinity  = "{type: object, properties: {requiredDuringSchedulingIgnoredDuringExecution: {type: array, items: {type: object, " +
			"required: [topologyKey], properties: {topologyKey: {type: string}}}}}}"
		strategy = "{type: object, properties: {type: {type: string}, rollingUpdate: {type: object, properties: " +
			"{maxSurge: {x-kubernetes-int-or-string: true}, maxUnavailable: {x-kubernetes-int-or-string: true}}}}}"
		condition = "{type: object, properties: {lastTransitionTime: {type: string, format: date-time}, message: {type: string}, " +
			"observedGeneration: {type: integer}, reason: {type: string}, status: {type: string}, type: {type: string}}, required: "
		selected = "{type: object, properties: {host: {type: string}, httpHeaders: {type: array, items: {type: object}}, " +
			"path: {type: string}, port: {x-kubernetes-int-or-string: true}, scheme: {type: string}}"
		profile = "{type: object, required: [type], properties: {localhostProfile: {type: string}, type: {type: string}}"
	)
	for name, test := range map[string]struct {
		names  []string
		schema string
		// want is the name of the type; "" for none.
		want string
	}{
		"a name below a reference":      {[]string{"parentRef"}, "{type: object, properties: {name: {type: string}}}", "LocalObjectReference"},
		"a name below ref":              {[]string{"ref"}, "{type: object, properties: {name: {type: string}}}", "LocalObjectReference"},
		"a name below another property": {[]string{"parentRef", "arm"}, "{type: object, properties: {name: {type: string}}}", ""},
		"a name below references":       {[]string{"parentRefs"}, "{type: object, properties: {name: {type: string}}}", ""},
		"a reference with more":         {[]string{"parentRef"}, "{type: object, properties: {name: {type: string}, arm: {type: string}}}", ""},
		"a reference with a number":     {[]string{"parentRef"}, "{type: object, properties: {name: {type: integer}}}", ""},

		"a selector":                       {[]string{"from"}, selector + "}}}", ""},
		"a selector in a secret":           {[]string{"tlsSecret", "from"}, selector + "}}}", "SecretKeySelector"},
		"a selector in a ConfigMap":        {[]string{"configMapRef"}, selector + "}}}", "ConfigMapKeySelector"},
		"the innermost name decides":       {[]string{"secret", "configMap", "from"}, selector + "}}}", "ConfigMapKeySelector"},
		"a name with both does not decide": {[]string{"secret", "fromSecretOrConfigMap"}, selector + "}}}", "SecretKeySelector"},
		"a selector that says Secret":      {[]string{"from"}, selector + ", description: whether the Secret must exist}}}", "SecretKeySelector"},
		"a selector that says ConfigMap":   {[]string{"from"}, selector + "}}, description: from a ConfigMap}", "ConfigMapKeySelector"},
		"a selector that says both":        {[]string{"from"}, selector + "}}, description: from a Secret or ConfigMap}", ""},
		"a selector without optional":      {[]string{"secret"}, "{type: object, properties: {key: {type: string}, name: {type: string}}}", ""},

		"a condition":                       {[]string{"conditions"}, condition + "[lastTransitionTime, message, reason, status, type]}", "Condition"},
		"null where none is required":       {[]string{"conditions"}, condition + "[message, reason, status, type]}", "Condition"},
		"a string where none is required":   {[]string{"conditions"}, condition + "[message, status, type]}", ""},
		"an integer that is required":       {[]string{"httpGet"}, selected + ", required: [port]}", "HTTPGetAction"},
		"an integer where none is required": {[]string{"httpGet"}, selected + "}", ""},

		"requirements for nodes":   {[]string{"nodes", "matchExpressions"}, requirement, "NodeSelectorRequirement"},
		"requirements for others":  {[]string{"arms", "matchExpressions"}, requirement, "LabelSelectorRequirement"},
		"requirements":             {[]string{"requirements"}, requirement, ""},
		"resources":                {[]string{"arm", "resources"}, resources, "ResourceRequirements"},
		"resources of a volume":    {[]string{"storage", "resources"}, resources, "VolumeResourceRequirements"},
		"affinity":                 {[]string{"near"}, affinity, "PodAffinity"},
		"antiaffinity":             {[]string{"podAntiAffinity"}, affinity, "PodAntiAffinity"},
		"strategy":                 {[]string{"strategy"}, strategy, "DeploymentStrategy"},
		"strategy of a daemon":     {[]string{"daemon", "strategy"}, strategy, "DaemonSetUpdateStrategy"},
		"a profile":                {[]string{"profile"}, profile + ", description: for seccomp}", ""},
		"metadata":                 {[]string{"template", "metadata"}, "{type: object}", "ObjectMeta"},
		"metadata with properties": {[]string{"metadata"}, "{type: object, properties: {name: {type: string}}}", ""},
		"metadata with anything":   {[]string{"metadata"}, samples[Anything], ""},
		"an object":                {[]string{"arm"}, "{type: object}", ""},
		"a property without name":  {[]string{""}, "{type: object}", ""},
		"an integer or string":     {[]string{"port"}, "{type: string, format: int-or-string}", "IntOrString"},
		"a map of quantities":      {[]string{"limits"}, samples[Quantities], "ResourceList"},
		"a map of strings":         {[]string{"limits"}, "{type: object, additionalProperties: {type: string}}", ""},
		"a map of anything":        {[]string{"limits"}, "{type: object, additionalProperties: true}", ""},
		"no type":                  {[]string{"arm"}, "{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found, ok := known.Recognize(append([]string{"Secret"}, test.names...), schema(t, test.schema))
			assert.Equal(t, test.want != "", ok)
			assert.Equal(t, test.want, found.Type.Name)
		})
	}
}

func TestLacking(t *testing.T) {
	t.Parallel()
	const volumes = `
type: object
properties:
  configMap: {type: object}
  emptyDir: {type: object}
  hostPath: {type: object}
  persistentVolumeClaim: {type: object, required: [claimName], properties: {claimName: {type: string}}}
  projected: {type: object, properties: {sources: {type: array, items: {type: object, properties: {secret: {type: object}}}}}}
  secret: {type: object}
`
	found, ok := repository(t).Recognize([]string{"Robot", "disk"}, schema(t, volumes))
	require.True(t, ok)
	assert.Equal(t, "VolumeSource", found.Type.Name, "Volume lacks a name, too")
	assert.IsIncreasing(t, found.Lacking)
	assert.Subset(t, found.Lacking, []string{
		"ephemeral", "persistentVolumeClaim.readOnly", "projected.defaultMode", "projected.sources[].configMap",
		"projected.sources[].secret.*", "secret.*",
	})
	for _, path := range []string{
		"secret", "secret.secretName", "ephemeral.volumeClaimTemplate", "projected.sources", "projected.sources[].secret.name",
	} {
		assert.NotContains(t, found.Lacking, path)
	}
}

// TestForms expects each type to have one form, except for forms that others include.
func TestForms(t *testing.T) {
	t.Parallel()
	known := repository(t)
	typeOf := func(importPath, name string) types.Type {
		decl := known.universe.Lookup(importPath, name)
		require.NotNil(t, decl, name)
		return known.universe.Type(decl)
	}
	forms := map[Form]string{
		Object: "{type: object, properties: {name: {type: string}}}",
		Map:    "{type: object, additionalProperties: {type: string}}",
		Array:  "{type: array, items: {type: string}}",
	}
	maps.Copy(forms, samples)
	const meta = "k8s.io/apimachinery/pkg/apis/meta/v1"
	for name, test := range map[string]struct {
		typ  types.Type
		want []Form
	}{
		"string":       {types.Typ[types.String], []Form{String, DateTime}},
		"named string": {typeOf("k8s.io/api/core/v1", "Protocol"), []Form{String, DateTime}},
		"pointer":      {types.NewPointer(types.Typ[types.Bool]), []Form{Boolean}},
		"float64":      {types.Typ[types.Float64], []Form{Number}},
		"int32":        {types.Typ[types.Int32], []Form{Integer}},
		"int64":        {types.Typ[types.Int64], []Form{Integer, Long}},
		"complex":      {types.Typ[types.Complex64], nil},
		"bytes":        {types.NewSlice(types.Typ[types.Byte]), []Form{Bytes}},
		"list":         {types.NewSlice(types.Typ[types.String]), []Form{Array}},
		"other list":   {types.NewSlice(types.Typ[types.Bool]), nil},
		"map":          {types.NewMap(types.Typ[types.String], types.Typ[types.String]), []Form{Bare, Map}},
		"other map":    {types.NewMap(types.Typ[types.String], types.Typ[types.Bool]), []Form{Bare}},
		"struct":       {typeOf("k8s.io/api/core/v1", "LocalObjectReference"), []Form{Bare, Object}},
		"other struct": {typeOf("k8s.io/api/core/v1", "ExecAction"), []Form{Bare}},
		"quantities":   {typeOf("k8s.io/api/core/v1", "ResourceList"), []Form{Bare, Quantities}},
		"function":     {types.NewSignatureType(nil, nil, nil, nil, nil, false), nil},
		"Time":         {typeOf(meta, "Time"), []Form{DateTime}},
		"MicroTime":    {typeOf(meta, "MicroTime"), []Form{DateTime}},
		"Duration":     {typeOf(meta, "Duration"), []Form{String}},
		"FieldsV1":     {typeOf(meta, "FieldsV1"), []Form{Bare, Anything}},
		"RawExtension": {typeOf("k8s.io/apimachinery/pkg/runtime", "RawExtension"), []Form{Bare, Object, Map, Quantities, Anything}},
		"Quantity":     {typeOf("k8s.io/apimachinery/pkg/api/resource", "Quantity"), []Form{Quantity}},
		"IntOrString":  {typeOf("k8s.io/apimachinery/pkg/util/intstr", "IntOrString"), []Form{IntOrString}},
		"other JSON":   {typeOf("time", "Time"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Form
			for form, text := range forms {
				c := comparison{universe: known.universe}
				if c.fits("", schema(t, text), test.typ) {
					got = append(got, form)
				}
			}
			assert.ElementsMatch(t, test.want, got)
		})
	}
}

// kubernetes is a proxy's modules with the older and the newest release.
const kubernetes = `
-- k8s.io/api@v0.35.0/go.mod --
module k8s.io/api

go 1.24.0
-- k8s.io/api@v0.35.0/core/v1/types.go --
package v1

type Container struct{}

type HostAlias struct {
	IP        string   ` + "`json:\"ip\"`" + `
	Hostnames []string ` + "`json:\"hostnames,omitempty\"`" + `
}
-- k8s.io/api@` + module.ClientGoVersion + `/go.mod --
module k8s.io/api

go 1.24.0
-- k8s.io/api@` + module.ClientGoVersion + `/core/v1/types.go --
package v1

type Container struct{}

type HostAlias struct {
	IP        string   ` + "`json:\"ip\"`" + `
	Hostnames []string ` + "`json:\"hostnames,omitempty\"`" + `
	New       string   ` + "`json:\"new,omitempty\"`" + `
}
`

const goMod = "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n"

func TestLoad(t *testing.T) {
	for name, test := range map[string]struct {
		require string
		lacking []string
	}{
		"required":     {"\nrequire k8s.io/api v0.35.0\n", nil},
		"not required": {"", []string{"new"}},
	} {
		t.Run(name, func(t *testing.T) {
			moduletest.Serve(t, kubernetes)
			t.Setenv("GONOSUMDB", "*")
			dir := moduletest.LayOut(t, goMod+test.require+"-- apis/v1/types.go --\npackage v1\n")
			known, err := Load(t.Context(), filepath.Join(dir, "apis", "v1"))
			require.NoError(t, err)
			aliases := schema(t, "{type: object, required: [ip], properties: {ip: {type: string}, hostnames: {type: array, items: {type: string}}}}")
			found, ok := known.Recognize([]string{"Robot", "aliases"}, aliases)
			require.True(t, ok)
			assert.Equal(t, test.lacking, found.Lacking)

			_, ok = known.Recognize([]string{"Robot", "ports"}, schema(t, samples[IntOrString]))
			assert.False(t, ok, "the release lacks the type")
		})
	}
}

func TestLoadWithoutKubernetes(t *testing.T) {
	moduletest.Serve(t, "")
	for name, test := range map[string]struct{ require, hint string }{
		"not required": {"", "run go get k8s.io/api@" + module.ClientGoVersion},
		"required":     {"\nrequire k8s.io/api v0.35.0\n", "run go get k8s.io/api@v0.35.0"},
		"apimachinery": {"\nrequire k8s.io/apimachinery v0.34.1\n", "run go get k8s.io/api@v0.34.1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := moduletest.LayOut(t, goMod+test.require)
			_, err := Load(t.Context(), dir)
			var diags diag.List
			require.ErrorAs(t, err, &diags)
			require.Len(t, diags, 1)
			assert.Equal(t, filepath.Join(dir, "go.mod"), diags[0].Pos.Filename)
			assert.Contains(t, diags[0].Message, "cannot read k8s.io/api/core/v1: ")
			assert.NotContains(t, diags[0].Message, "\n")
			assert.Equal(t, test.hint, diags[0].Hint)
		})
	}
}
