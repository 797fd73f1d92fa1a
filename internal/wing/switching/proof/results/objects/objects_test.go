package objects

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// zeroTime is how the zero time is described.
const zeroTime = `"0001-01-01T00:00:00Z" <nil>`

// robot has fields of all kinds.
type robot struct {
	metav1.TypeMeta
	Name    string
	Arms    []int8
	Legs    [2]uint16
	Weight  float32
	Ready   *bool
	Labels  map[string]string
	Built   metav1.Time
	Uptime  metav1.Duration
	Power   resource.Quantity
	Port    intstr.IntOrString
	Config  runtime.RawExtension
	Any     map[string]any
	Object  runtime.Object
	Next    *robot
	Stop    func()
	Done    chan bool
	private int
}

func TestFill(t *testing.T) {
	t.Parallel()
	var empty robot
	fill(0, &empty, nil)
	assert.Equal(t, robot{}, empty, "the first object is empty")
	set, previous := map[string]bool{}, ""
	for seed := range uint64(Count) {
		var one, other robot
		fill(seed, &one, nil)
		fill(seed, &other, nil)
		assert.Equal(t, one, other, "a seed always makes the same object")
		text, err := json.Marshal(struct {
			*robot
			Stop, Done any
			Next       bool
		}{&one, nil, nil, one.Next != nil})
		require.NoError(t, err, "values of known types are valid")
		assert.NotEqual(t, previous, string(text))
		previous = string(text)
		for _, v := range dump(&one) {
			if !slices.Contains([]string{"nil", "", "0", "false", "2", zeroTime, `"0" <nil>`}, v.text) {
				set[v.field] = true
			}
		}
		assert.Zero(t, one.private)
		if one.Next != nil && one.Next.Next != nil {
			assert.Nil(t, one.Next.Next.Next, "recursion ends")
		}
	}
	for _, field := range []string{
		"Name", "Arms", "Legs", "Weight", "Ready", "Labels", "Built.Time", "Uptime.Duration", "Power", "Port.StrVal", "Port.IntVal",
		"Config.Raw", "Next.Name", "TypeMeta.Kind",
	} {
		assert.True(t, set[field], "%s is never set", field)
	}
}

// TestFillIsBounded fills a type that has many ways to contain itself.
func TestFillIsBounded(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		var schema apiextensionsv1.JSONSchemaProps
		fill(seed, &schema, nil)
		assert.Less(t, len(dump(&schema)), 20*maxValues)
	}
}

// TestFillParameters fills the parameters of a URL with names that the other type has.
func TestFillParameters(t *testing.T) {
	t.Parallel()
	var keys []string
	for seed := range uint64(Count) {
		values := url.Values{}
		fill(seed, &values, &metav1.ListOptions{})
		for key := range values {
			keys = append(keys, key)
		}
	}
	assert.Contains(t, keys, "labelSelector")
	assert.Contains(t, keys, "kind", "of an embedded struct")
}

func TestDump(t *testing.T) {
	t.Parallel()
	yes := true
	one := robot{
		Name: "x", Ready: &yes, Power: resource.MustParse("1500m"), Labels: map[string]string{"b": "2", "a": "1"},
		Object: &metav1.Status{Code: 7}, private: 3,
	}
	text := func(v any) (lines []string) {
		for _, v := range dump(v) {
			lines = append(lines, v.field+"="+v.text)
		}
		return lines
	}
	lines := text(&one)
	for _, want := range []string{
		"Name=x", "Ready=bool", "Ready=true", "Labels=2",
		"Power=\"1500m\" <nil>", "Object=*v1.Status", "Object.Code=7", "private=3",
	} {
		assert.Contains(t, lines, want)
	}
	start := slices.Index(lines, "Labels=2")
	assert.Equal(t, []string{"Labels=a", "Labels=:", "Labels=1", "Labels=b", "Labels=:", "Labels=2"}, lines[start+1:start+7], "maps are sorted")
	assert.NotEqual(t, text(&[]robot{{Name: "x"}, {}}), text(&[]robot{{}, {Name: "x"}}))
	type key struct{ Name string }
	assert.NotEqual(t, text(&map[key]key{{"x"}: {}}), text(&map[key]key{{}: {"x"}}))
	assert.NotEqual(t, text(&[][]int{nil}), text(&[][]int{{}}))
	one.Next = &one
	assert.NotEmpty(t, text(&one), "an object that contains itself has an end")
}

func TestRun(t *testing.T) {
	t.Parallel()
	newRobots := func() (any, any) { return new(robot), new(robot) }
	random := rand.New(rand.NewPCG(1, 2))
	var out strings.Builder
	require.NoError(t, Run(&out, []Function{
		{newRobots, func(in, out any) error { *out.(*robot) = robot{Name: in.(*robot).Name}; return nil }},
		{newRobots, func(in, out any) error { out.(*robot).Name = in.(*robot).Next.Name; return nil }},
		{newRobots, func(any, any) error { return errors.New("no") }},
		{func() (any, any) { return new(robot), nil }, func(in, _ any) error { in.(*robot).Name = "set"; return nil }},
		{newRobots, func(_, out any) error { out.(*robot).Legs[0] = uint16(random.IntN(1 << 16)); return nil }},
	}))
	var results []Result
	require.NoError(t, json.Unmarshal([]byte(out.String()), &results))
	require.Len(t, results, 5)
	count := func(r Result, object string) (n int) {
		for _, o := range r.Objects {
			if o == object {
				n++
			}
		}
		return n
	}
	assert.Zero(t, count(results[0], Panicked)+count(results[0], Failed))
	assert.NotEqual(t, results[0].Fields["Name"], results[3].Fields["Name"])
	assert.Positive(t, count(results[1], Panicked))
	assert.Less(t, count(results[1], Panicked), Count)
	assert.Equal(t, Count, count(results[2], Failed))
	for i, r := range results {
		assert.Equal(t, i == 4, r.Varies, i)
		assert.Len(t, r.Objects, Count)
	}
}
