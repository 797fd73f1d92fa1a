package resolve

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestLeaveOutOfVerbs(t *testing.T) {
	withoutLists := model.AllVerbs.Without(model.List, model.DeleteCollection)
	for name, test := range map[string]struct {
		kind model.Kind
		want model.Verbs
	}{
		"list type":              {model.Kind{HasList: true, Verbs: model.AllVerbs}, model.AllVerbs},
		"no list type":           {model.Kind{Verbs: model.AllVerbs}, withoutLists},
		"no verbs, no list type": {model.Kind{NoVerbs: true, Verbs: model.AllVerbs}, model.AllVerbs}, // by which it has a lister
	} {
		t.Run(name, func(t *testing.T) {
			new(resolver).leaveOut(&test.kind)
			assert.Equal(t, test.want, test.kind.Verbs)
		})
	}
}
