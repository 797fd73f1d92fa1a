package mutation

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

var configMaps = schema.GroupResource{Resource: "configmaps"}

// reports collects what a detector reports.
type reports []string

func (r *reports) Errorf(format string, args ...any) { *r = append(*r, fmt.Sprintf(format, args...)) }

func (r *reports) take() []string {
	taken := *r
	*r = nil
	return taken
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: name}}
}

func TestDetector(t *testing.T) {
	told := &reports{}
	d := New(told, configMaps)
	x, y := configMap("x"), configMap("y")
	d.Replace(nil, x)
	d.Replace(nil, y)
	assert.False(t, d.Crashes())

	call := d.Before(x, nil, cache.DeletedFinalStateUnknown{})
	x.Labels = map[string]string{"k": "v"}
	call.After("H")
	assert.Equal(t, []string{`configmaps a/x in the cache was changed by handler H: .ObjectMeta.Labels["k"]: "v", was missing; ` +
		`call DeepCopy before changing it`}, told.take())
	d.Before(x).After("H")
	d.Check([]any{x, y, 0})
	assert.Empty(t, told.take(), "each change is reported once")

	other := "code other than a handler, or by a handler after it returned"
	y.Data = map[string]string{"k": "v"}
	d.Check([]any{x, y})
	assert.Equal(t, []string{`configmaps a/y in the cache was changed by ` + other + `: .Data["k"]: "v", was missing; call DeepCopy before changing it`}, told.take())
	y.Name = "z"
	d.Before(y)
	assert.Contains(t, told.take()[0], `: .ObjectMeta.Name: "z", was "y"`)
	y.Name = "y"
	d.Replace(y, nil)
	assert.Len(t, told.take(), 1)
	y.Name = "z"
	d.Check([]any{y})
	assert.Empty(t, told.take(), "it has left the store")
	call = d.Before(y)
	y.Name = "y"
	call.After("H")
	assert.Len(t, told.take(), 1, "but a handler has no right to change it")
}

func TestNoDetector(t *testing.T) {
	d := New(nil, configMaps)
	assert.Nil(t, d)
	assert.False(t, d.Crashes())
	d.Replace(nil, configMap("x"))
	d.Check([]any{configMap("x")})
	d.Before(configMap("x")).After("H")
}

func TestDifference(t *testing.T) {
	number := 1
	type fields struct {
		List    []string
		Array   [2]int
		Pointer *int
		Any     any
		hidden  string
	}
	for want, values := range map[string][2]any{
		`.List[1]: "c", was "b"`:     {fields{List: []string{"a", "b"}}, fields{List: []string{"a", "c"}}},
		`.List: []string{"a"}, was `: {fields{}, fields{List: []string{"a"}}},
		`.Array[1]: 2, was 0`:        {fields{}, fields{Array: [2]int{0, 2}}},
		`.Pointer: 1, was `:          {fields{}, fields{Pointer: &number}},
		`.Any: 2, was "a"`:           {fields{Any: "a"}, fields{Any: 2}},
		`.hidden: "b", was "a"`:      {fields{hidden: "a"}, fields{hidden: "b"}},
	} {
		assert.Contains(t, difference("", reflect.ValueOf(&values[0]).Elem(), reflect.ValueOf(&values[1]).Elem()), want)
	}
}

// TestByEnvironment runs this test again, in a process whose environment asks for a detector, and which a change ends.
func TestByEnvironment(t *testing.T) {
	const child = "MUTATION_TEST_CHILD"
	if os.Getenv(child) != "" {
		d := New(ByEnvironment(), configMaps)
		require.True(t, d.Crashes())
		x := configMap("x")
		d.Replace(nil, x)
		x.Name = "y"
		defer func() { _ = recover() }() // has no effect
		d.Check([]any{x})
		return
	}
	assert.Equal(t, enabled, ByEnvironment() != nil)
	program := exec.Command(os.Args[0], "-test.run=^TestByEnvironment$")
	program.Env = append(os.Environ(), child+"=1", "KUBE_CACHE_MUTATION_DETECTOR=true")
	output, err := program.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(output), `panic: configmaps a/y in the cache was changed by code other than a handler`)
	for _, value := range []string{"", "0", "false", "no"} {
		assert.False(t, isTrue(value), value)
	}
	assert.True(t, isTrue("1"))
}
