package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAPIRoot(t *testing.T) {
	for _, test := range []struct {
		dirs []string
		want string
	}{
		{[]string{"apis/fleet/v1"}, "apis"},
		{[]string{"pkg/apis/fleet/v1", "pkg/apis/apps/v1beta1"}, "pkg/apis"},
		{[]string{"api/v1"}, "api"},
		{[]string{"v1"}, "."},
		{[]string{"fleet/v1", "apps/v1"}, "."},
		{[]string{"types/fleet/v1", "types/fleet/v2"}, "types/fleet"},
		{[]string{"fleet"}, "fleet"},
		{[]string{"."}, "."},
	} {
		assert.Equal(t, test.want, apiRoot(test.dirs), test.dirs)
	}
}
