package contract

import (
	"context"
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Definer is a clientset whose API takes CustomResourceDefinitions.
type Definer interface {
	// Define returns an error if the API refuses a definition. Otherwise, the definition has no effect.
	Define(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error
}

// defined is a definition that servers accept. Its kind is one of the clientset, because fakes take no others.
const defined = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
	"metadata": {"name": "probes.fleet.example.com"},
	"spec": {"group": "fleet.example.com", "scope": "Namespaced", "names": {"kind": "Gateway", "plural": "probes"},
		"versions": [{"name": "v1beta1", "served": true, "storage": true, "subresources": {"status": {}},
			"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {}}}}}}]}}`

// define returns a probe that defines a kind after a change of the definition.
func define(short string, change func(crd *apiextensionsv1.CustomResourceDefinition) error) Probe {
	return needsCRD(short, func(p *P) {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		p.must("decode", json.Unmarshal([]byte(defined), crd))
		p.must("change", change(crd))
		definer, ok := p.client.(Definer)
		if !ok {
			p.printf("the clientset takes no definitions")
			return
		}
		p.err("define", definer.Define(p.ctx, crd))
	})
}

// defineField returns a probe that defines a kind whose spec has these properties.
func defineField(short, properties string) Probe {
	return define("field-"+short, func(crd *apiextensionsv1.CustomResourceDefinition) error {
		root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
		spec := root.Properties["spec"]
		if err := json.Unmarshal([]byte(`{"properties":`+properties+`}`), &spec); err != nil {
			return err
		}
		root.Properties["spec"] = spec
		return nil
	})
}

// defineRoot returns a probe that defines a kind with this schema.
func defineRoot(short, schema string) Probe {
	return define("root-"+short, func(crd *apiextensionsv1.CustomResourceDefinition) error {
		crd.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{}
		return json.Unmarshal([]byte(`{"openAPIV3Schema":`+schema+`}`), crd.Spec.Versions[0].Schema)
	})
}

// defineVersion returns a probe that defines a kind with other fields of its version.
func defineVersion(short, fields string) Probe {
	return define("version-"+short, func(crd *apiextensionsv1.CustomResourceDefinition) error {
		return json.Unmarshal([]byte(fields), &crd.Spec.Versions[0])
	})
}

// definePart returns a probe that defines a kind with other fields of the definition.
func definePart(short, fields string) Probe {
	return define("definition-"+short, func(crd *apiextensionsv1.CustomResourceDefinition) error {
		return json.Unmarshal([]byte(fields), crd)
	})
}

// defineRule returns a probe that defines a kind with a field with this validation.
func defineRule(short, validation string) Probe {
	return defineField("rule-"+short, `{"x":{"type":"object","properties":{"a":{"type":"string","maxLength":10},"n":{"type":"integer"},`+
		`"list":{"type":"array","items":{"type":"string"}}},"x-kubernetes-validations":[`+validation+`]}}`)
}

var definitionProbes = group("definitions",
	definePart("unchanged", `{}`),
	defineRule("valid", `{"rule":"self.a != 'x' || self.n > 1","message":"no"}`),
	defineRule("syntax", `{"rule":"self.a >"}`),
	defineRule("empty", `{"rule":""}`),
	defineRule("not-a-boolean", `{"rule":"self.n + 1"}`),
	defineRule("unknown-field", `{"rule":"self.missing == 1"}`),
	defineRule("types", `{"rule":"self.a == 1"}`),
	defineRule("cost", `{"rule":"self.list.all(a, self.list.all(b, a == b))"}`),
	defineRule("message-expression", `{"rule":"self.n > 1","messageExpression":"self.n"}`),
	defineRule("message-with-newline", `{"rule":"self.n > 1","message":"a\nb"}`),
	defineRule("reason", `{"rule":"self.n > 1","reason":"Other"}`),
	defineRule("field-path", `{"rule":"self.n > 1","fieldPath":".missing"}`),
	defineRule("transition", `{"rule":"self.n >= oldSelf.n"}`),
	defineRule("optional-old-self", `{"rule":"self.n > 1","optionalOldSelf":true}`),
	defineField("rule-transition-of-item", `{"x":{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}`),
	defineField("rules-cost-together", `{"x":{"type":"array","items":{"type":"object","properties":{"y":{"type":"array","items":{"type":"string",`+
		`"x-kubernetes-validations":[{"rule":"self.contains('a')"},{"rule":"self.matches('a*b*c*')"}]}}}}}}`),
	defineField("default", `{"x":{"type":"string","default":"a","maxLength":3}}`),
	defineField("default-wrong-type", `{"x":{"type":"string","default":1}}`),
	defineField("default-too-long", `{"x":{"type":"string","default":"long","maxLength":3}}`),
	defineField("default-not-in-enum", `{"x":{"type":"string","default":"c","enum":["a","b"]}}`),
	defineField("default-breaks-rule", `{"x":{"type":"integer","default":1,"x-kubernetes-validations":[{"rule":"self > 1"}]}}`),
	defineField("default-with-unknown-field", `{"x":{"type":"object","default":{"b":1},"properties":{"a":{"type":"string"}}}}`),
	defineField("default-null", `{"x":{"type":"string","default":null}}`),
	defineField("default-lacks-required", `{"x":{"type":"object","default":{},"required":["a"],"properties":{"a":{"type":"string"}}}}`),
	defineField("default-of-required", `{"x":{"type":"object","default":{},"required":["a"],"properties":{"a":{"type":"string","default":"a"}}}}`),
	defineField("default-below-all-of", `{"x":{"type":"string","allOf":[{"default":"a"}]}}`),
	defineField("pattern", `{"x":{"type":"string","pattern":"^a("}}`),
	defineField("pattern-lookahead", `{"x":{"type":"string","pattern":"^(?!a)"}}`),
	defineField("pattern-of-default", `{"x":{"type":"string","pattern":"^a$","default":"b"}}`),
	defineField("list-map", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",`+
		`"required":["k"],"properties":{"k":{"type":"string"}}}}}`),
	defineField("list-map-without-keys", `{"x":{"type":"array","x-kubernetes-list-type":"map","items":{"type":"object","properties":{"k":{"type":"string"}}}}}`),
	defineField("list-map-unknown-key", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["z"],"items":{"type":"object",`+
		`"properties":{"k":{"type":"string"}}}}}`),
	defineField("list-map-optional-key", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",`+
		`"properties":{"k":{"type":"string"}}}}}`),
	defineField("list-map-key-is-object", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",`+
		`"required":["k"],"properties":{"k":{"type":"object"}}}}}`),
	defineField("list-map-same-key-twice", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","k"],"items":{"type":"object",`+
		`"required":["k"],"properties":{"k":{"type":"string"}}}}}`),
	defineField("list-map-of-strings", `{"x":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"string"}}}`),
	defineField("list-set-of-objects", `{"x":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","properties":{"k":{"type":"string"}}}}}`),
	defineField("list-type-unknown", `{"x":{"type":"array","x-kubernetes-list-type":"bag","items":{"type":"string"}}}`),
	defineField("list-type-of-object", `{"x":{"type":"object","x-kubernetes-list-type":"set"}}`),
	defineField("list-keys-without-map", `{"x":{"type":"array","x-kubernetes-list-map-keys":["k"],"items":{"type":"string"}}}`),
	defineField("map-type-unknown", `{"x":{"type":"object","x-kubernetes-map-type":"loose"}}`),
	defineField("type-missing", `{"x":{"properties":{"a":{"type":"string"}}}}`),
	defineField("type-unknown", `{"x":{"type":"int"}}`),
	defineField("format-unknown", `{"x":{"type":"string","format":"color"}}`),
	defineField("items-missing", `{"x":{"type":"array"}}`),
	defineField("items-list", `{"x":{"type":"array","items":[{"type":"string"}]}}`),
	defineField("unique-items", `{"x":{"type":"array","items":{"type":"string"},"uniqueItems":true}}`),
	defineField("additional-and-properties", `{"x":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}}`),
	defineField("additional-false", `{"x":{"type":"object","additionalProperties":false}}`),
	defineField("reference", `{"x":{"$ref":"#/definitions/x"}}`),
	defineField("int-or-string-with-type", `{"x":{"type":"string","x-kubernetes-int-or-string":true}}`),
	defineField("embedded-string", `{"x":{"type":"string","x-kubernetes-embedded-resource":true}}`),
	defineField("embedded-without-properties", `{"x":{"type":"object","x-kubernetes-embedded-resource":true}}`),
	defineField("properties-only-below-any-of", `{"x":{"type":"object","anyOf":[{"properties":{"a":{"type":"string"}}}]}}`),
	defineField("nullable-in-all-of", `{"x":{"type":"string","allOf":[{"nullable":true}]}}`),
	defineField("negative-length", `{"x":{"type":"string","maxLength":-1}}`),
	defineRoot("string", `{"type":"string"}`),
	defineRoot("nullable", `{"type":"object","nullable":true}`),
	defineRoot("default", `{"type":"object","default":{}}`),
	defineRoot("metadata-name", `{"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","pattern":"^a"}}}}}`),
	defineRoot("metadata-labels", `{"type":"object","properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object",`+
		`"additionalProperties":{"type":"string"}}}}}}`),
	defineRoot("kind-default", `{"type":"object","properties":{"kind":{"type":"string","default":"A"}}}`),
	defineVersion("no-schema", `{"schema":null}`),
	defineVersion("empty-schema", `{"schema":{"openAPIV3Schema":null}}`),
	defineVersion("not-stored", `{"storage":false}`),
	defineVersion("not-served", `{"served":false}`),
	defineVersion("name", `{"name":"V_1"}`),
	defineVersion("deprecation-warning", `{"deprecationWarning":"old"}`),
	defineVersion("scale-path", `{"subresources":{"scale":{"specReplicasPath":".replicas","statusReplicasPath":".status.replicas"}}}`),
	defineVersion("scale-path-of-list", `{"subresources":{"scale":{"specReplicasPath":".spec.x[0]","statusReplicasPath":".status.replicas"}}}`),
	defineVersion("scale-path-missing", `{"subresources":{"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":""}}}`),
	defineVersion("selectable-field", `{"selectableFields":[{"jsonPath":".spec.missing"}]}`),
	defineVersion("selectable-object", `{"selectableFields":[{"jsonPath":".spec"}]}`),
	defineVersion("selectable-metadata", `{"selectableFields":[{"jsonPath":".metadata.name"}]}`),
	defineVersion("column-type", `{"additionalPrinterColumns":[{"name":"A","type":"text","jsonPath":".spec.a"}]}`),
	definePart("name", `{"metadata":{"name":"other.fleet.example.com"}}`),
	definePart("scope", `{"spec":{"scope":"Everywhere"}}`),
	definePart("no-scope", `{"spec":{"scope":""}}`),
	definePart("names", `{"spec":{"names":{"plural":"probes","kind":"Gateway","listKind":"Gateway","singular":"A b","shortNames":["A"],"categories":["X"]}}}`),
	definePart("no-versions", `{"spec":{"versions":null}}`),
	definePart("preserve-unknown-fields", `{"spec":{"preserveUnknownFields":true}}`),
	definePart("conversion-strategy", `{"spec":{"conversion":{"strategy":"Magic"}}}`),
	definePart("conversion-webhook", `{"spec":{"conversion":{"strategy":"Webhook"}}}`),
	definePart("conversion-review-versions", `{"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://a.example/"},`+
		`"conversionReviewVersions":["v0"]}}}}`),
	define("definition-same-version-twice", func(crd *apiextensionsv1.CustomResourceDefinition) error {
		crd.Spec.Versions = append(crd.Spec.Versions, crd.Spec.Versions[0])
		return nil
	}),
	define("definition-two-stored", func(crd *apiextensionsv1.CustomResourceDefinition) error {
		other := *crd.Spec.Versions[0].DeepCopy()
		other.Name = "v2"
		crd.Spec.Versions = append(crd.Spec.Versions, other)
		return nil
	}),
)
