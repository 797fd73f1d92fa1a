package model

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReference(t *testing.T) {
	secret := Related{Name: "Secret", Resource: "secrets", GoVersion: "V1", Namespaced: true}
	r := Reference{
		To: secret, WatchMode: Metadata, Name: "TLSSecrets", Singular: "TLSSecret", Text: "spec.tls[*]", Pos: token.Position{Line: 7},
	}
	assert.Equal(t, "core/v1.Secret, path=spec.tls[*], watch=metadata", r.String())
	assert.Equal(t, "RobotsOfTLSSecret", r.ReverseLookup(&Kind{Plural: "Robots"}))

	k := &Kind{Name: "Robot", Resource: "robots", Namespaced: true, Verbs: AllVerbs, Version: &Version{Group: &Group{Name: "fleet.io"}}}
	for mode, verbs := range map[WatchMode][]string{Cached: {"list", "watch"}, Named: {"list", "watch"}, Metadata: {"list", "watch", "get"}} {
		r.WatchMode = mode
		k.Controller = &Controller{References: []Reference{r}}
		assert.Contains(t, (&Layout{}).Permissions(k), Permission{
			Groups: []string{""}, Resources: []string{"secrets"}, Verbs: verbs, Namespaced: true, Pos: r.Pos,
		})
		assert.True(t, k.Controller.UsesBuiltIn())
	}
}
