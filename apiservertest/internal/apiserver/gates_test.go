package apiserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

func TestGates(t *testing.T) {
	isOn := func() bool { return utilfeature.DefaultFeatureGate.Enabled(features.ShardedListAndWatch) }
	byDefault, other := isOn(), !isOn()
	changed := map[string]bool{string(features.ShardedListAndWatch): other}

	first, err := holdGates(changed)
	require.NoError(t, err)
	assert.Equal(t, other, isOn())
	second, err := holdGates(map[string]bool{string(features.ShardedListAndWatch): other})
	require.NoError(t, err, "equal gates")
	_, err = holdGates(nil)
	require.ErrorIs(t, err, errGates)
	first()
	first()
	assert.Equal(t, other, isOn(), "the second server still runs")
	second()
	assert.Equal(t, byDefault, isOn())

	_, err = holdGates(map[string]bool{"Typo": true})
	require.EqualError(t, err, "feature gates: unrecognized feature gate: Typo")
	all, err := holdGates(map[string]bool{"AllAlpha": true})
	require.NoError(t, err, "the typo is not kept")
	assert.True(t, isOn())
	all()
	assert.Equal(t, byDefault, isOn())
}
