package controllers

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

func TestSettingsCheck(t *testing.T) {
	shared := WithFactory(informers.NewSharedInformerFactory(nil, 0))
	kube := WithKubeFactory(kubeinformers.NewSharedInformerFactory(nil, 0))
	ineffective := " has no effect on a shared factory: configure the factory instead"
	for want, options := range map[string][]Option{
		"": nil,
		"invalid number of workers 0: must be at least 1": {WithWorkers(0)},
		"invalid number of retries -1: must be at least 0, which means forever": {
			WithMaxRetries(-1),
		},
		"negative duration -1s":           {WithResync(-time.Second)},
		"negative duration -2s":           {WithItemTimeout(-2 * time.Second)},
		"negative duration -3s":           {WithSyncTimeout(-3 * time.Second)},
		"negative duration -4s":           {WithDrainTimeout(-4 * time.Second)},
		"WithNamespaces" + ineffective:    {shared, WithNamespaces("shop")},
		"WithLabelSelector" + ineffective: {WithLabelSelector(labels.Everything()), shared},
		"WithFieldSelector" + ineffective: {shared, WithFieldSelector(fields.Everything())},
		"WithTransform" + ineffective:     {kube, WithTransform(func(o any) (any, error) { return o, nil })},
		"negative duration -5s":           {WithConsistencyTimeout(-5 * time.Second)},
		"WithInformerName" + ineffective:  {shared, WithInformerName(nil)}, //emit:if InformerNames
		"invalid number of workers 0: must be at least 1\nnegative duration -1s": {WithResync(-time.Second), WithWorkers(0)},
	} {
		_, err := newSettings("name", nil, options)
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// TestOptionsBesideSharedFactories combines shared factories with options that do not concern them.
func TestOptionsBesideSharedFactories(t *testing.T) {
	shared := WithFactory(informers.NewSharedInformerFactory(nil, 0))
	kube := WithKubeFactory(kubeinformers.NewSharedInformerFactory(nil, 0))
	for name, options := range map[string][]Option{
		"managed fields":          {shared, kube, WithManagedFields("us")},
		"all namespaces":          {shared, kube, WithNamespaces("")},
		"selectors of the kind":   {kube, WithLabelSelector(labels.Everything()), WithFieldSelector(fields.Everything())},
		"resync":                  {shared, kube, WithResync(time.Minute)},
		"informers of the others": {kube, WithInformerName(nil)}, //emit:if InformerNames
	} {
		_, err := newSettings("name", nil, options)
		assert.NoError(t, err, name)
	}
}

func TestSharedFactoriesMayBeNil(t *testing.T) {
	s, err := newSettings("name", nil, []Option{WithFactory(nil), WithKubeFactory(nil), WithNamespaces("shop")})
	require.NoError(t, err)
	assert.Nil(t, s.factory)
	assert.Nil(t, s.kubeFactory)
}

func TestDefaultBackoff(t *testing.T) {
	s, err := newSettings("name", nil, nil)
	require.NoError(t, err)
	name := cache.NewObjectName("shop", "web")
	for wait := backoffBase; wait < backoffMax; wait *= 2 {
		got := s.limiter.When(name)
		assert.GreaterOrEqual(t, got, wait)
		assert.LessOrEqual(t, got, wait*3/2)
	}
	for range 10 {
		got := s.limiter.When(name)
		assert.GreaterOrEqual(t, got, backoffMax)
		assert.LessOrEqual(t, got, backoffMax*3/2)
	}
	s.limiter.Forget(name)
	assert.Less(t, s.limiter.When(name), 2*backoffBase)
}

func TestSelectObjects(t *testing.T) {
	var options metav1.ListOptions
	(&settings{}).selectObjects(&options)
	assert.Equal(t, metav1.ListOptions{}, options)
	s := &settings{labels: labels.SelectorFromSet(labels.Set{"a": "b"}), fields: fields.OneTermEqualSelector("metadata.name", "web")}
	s.selectObjects(&options)
	assert.Equal(t, metav1.ListOptions{LabelSelector: "a=b", FieldSelector: "metadata.name=web"}, options)
}

func TestTrim(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		options []Option
		want    []string
		err     error
	}{
		"removed":   {nil, nil, nil},
		"kept":      {[]Option{WithManagedFields()}, []string{"us", "them"}, nil},
		"of some":   {[]Option{WithManagedFields("us", "others")}, []string{"us"}, nil},
		"of nobody": {[]Option{WithManagedFields("others")}, nil, nil},
		"then failed": {[]Option{WithTransform(func(o any) (any, error) {
			assert.Empty(t, o.(metav1.Object).GetManagedFields(), "removed before")
			return o, broken
		})}, nil, broken},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newSettings("name", nil, test.options)
			require.NoError(t, err)
			object := managed()
			entries := object.ManagedFields
			stored, err := s.trim(object)
			assert.Equal(t, test.err, err)
			var got []string
			for _, entry := range stored.(*fleetv1.Workload).ManagedFields {
				got = append(got, entry.Manager)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, managed().ManagedFields, entries, "the slice may be shared")
		})
	}
	s, err := newSettings("name", nil, nil)
	require.NoError(t, err)
	stored, err := s.trim("not an object")
	assert.NoError(t, err)
	assert.Equal(t, "not an object", stored)
}

func TestTrimManagedFields(t *testing.T) {
	for name, test := range map[string]struct {
		keep, want []string
	}{
		"all":  {nil, nil},
		"some": {[]string{"us"}, []string{"us"}},
	} {
		stored, err := TrimManagedFields(test.keep...)(managed())
		require.NoError(t, err, name)
		var got []string
		for _, entry := range stored.(*fleetv1.Workload).ManagedFields {
			got = append(got, entry.Manager)
		}
		assert.Equal(t, test.want, got, name)
	}
}
