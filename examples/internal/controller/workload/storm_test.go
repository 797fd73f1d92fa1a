package workload

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

const (
	stormLasts = time.Minute
	// writeEvery is the time between two writes of users, and watchLag is the delay of the controller's watches.
	writeEvery = 100 * time.Millisecond
	watchLag   = 2 * time.Second
	// calm is the time in which the controller must converge after the storm.
	calm = 10 * time.Minute
	// stormObjects is the maximum number of workloads; takenNames of their names are taken at first.
	stormObjects, takenNames = 60, 5
)

var (
	workloadsResource   = fleetv1.SchemeGroupVersion.WithResource("workloads")
	deploymentsResource = appsv1.SchemeGroupVersion.WithResource("deployments")
)

// storm writes workloads and makes the controller's requests fail. Its own requests bypass the reactors and go to the tracker.
type storm struct {
	*world
	random *rand.Rand
	lock   sync.Mutex
	raging bool
	hits   map[string]int
}

// TestReconcileInStorm is the counterpart of TestControllersUnderFaults in test/e2e: workloads are written at random while
// requests of the controller fail in every way, and its watches lag and break. The controller uses default options and must
// converge in the end.
func TestReconcileInStorm(t *testing.T) {
	// A default handler waits until a second has passed since the last error, or since the program began: decades, in a bubble.
	handlers := utilruntime.ErrorHandlers
	utilruntime.ErrorHandlers = nil
	defer func() { utilruntime.ErrorHandlers = handlers }()
	synctest.Test(t, func(t *testing.T) {
		s := &storm{world: newWorld(t), random: rand.New(rand.NewPCG(1, 2)), raging: true, hits: map[string]int{}} //nolint:gosec // not a secret
		s.addRegion(t, "north")
		s.addFaults(&s.client.Fake)
		s.addFaults(&s.kube.Fake)
		strangers := s.takeNames(t)
		c, err := New(s.client, s.kube, &quietRecorder{})
		require.NoError(t, err)
		ctx, stop := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{})) // thousands of errors are logged
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()

		for began := time.Now(); time.Since(began) < stormLasts; time.Sleep(writeEvery) {
			s.write(t)
		}
		s.lock.Lock()
		s.raging = false
		s.lock.Unlock()
		time.Sleep(calm)
		synctest.Wait()
		s.check(t, strangers)
		s.freeNames(t, strangers)
		time.Sleep(calm)
		synctest.Wait()
		s.check(t, nil)
		for _, fault := range []string{"refused", "lost reply", "conflict", "broken watch"} {
			assert.NotZero(t, s.hits[fault], fault)
		}
		t.Logf("faults: %v", s.hits)
		stop()
		assert.NoError(t, <-done)
	})
}

// quietRecorder drops events: there are thousands of them.
type quietRecorder struct{}

func (*quietRecorder) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {
}

// strikes reports whether a fault strikes, once in n times.
func (s *storm) strikes(fault string, n int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.raging || s.random.IntN(n) > 0 {
		return false
	}
	s.hits[fault]++
	return true
}

// addFaults makes requests of a clientset fail.
func (s *storm) addFaults(client *clienttesting.Fake) {
	carryOut := slices.Clone(client.ReactionChain)
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		resource := action.GetResource().GroupResource()
		switch {
		case s.strikes("refused", 10):
			return true, nil, apierrors.NewServiceUnavailable("the storm")
		case s.strikes("conflict", 25):
			return true, nil, apierrors.NewConflict(resource, "any", errors.New("the storm"))
		case s.strikes("lost reply", 15):
			for _, reactor := range carryOut {
				if handled, _, _ := reactor.React(action); handled {
					break
				}
			}
			return true, nil, apierrors.NewTimeoutError("the storm", 0)
		}
		return false, nil, nil
	})
	watches := slices.Clone(client.WatchReactionChain)
	client.PrependWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		for _, reactor := range watches {
			if handled, w, err := reactor.React(action); handled && err == nil {
				return true, s.lagging(w), nil
			}
		}
		return false, nil, nil
	})
}

// lagging returns a watch whose events are late, and which breaks now and then, during the storm.
func (s *storm) lagging(w watch.Interface) watch.Interface {
	results := make(chan watch.Event)
	late := watch.NewProxyWatcher(results)
	type arrival struct {
		event watch.Event
		at    time.Time
	}
	queue := make(chan arrival, 1000)
	go func() {
		defer close(queue)
		for event := range w.ResultChan() {
			queue <- arrival{event, time.Now()}
			if s.strikes("broken watch", 50) {
				return
			}
		}
	}()
	go func() {
		defer close(results)
		defer w.Stop()
		for a := range queue {
			s.lock.Lock()
			raging := s.raging
			s.lock.Unlock()
			if raging {
				time.Sleep(time.Until(a.at.Add(watchLag)))
			}
			select {
			case results <- a.event:
			case <-late.StopChan():
				return
			}
		}
	}()
	go func() {
		<-late.StopChan()
		w.Stop()
	}()
	return late
}

// write creates, changes or deletes a workload.
func (s *storm) write(t *testing.T) {
	s.lock.Lock()
	name, what, image := fmt.Sprintf("w%d", s.random.IntN(stormObjects)), s.random.IntN(10), fmt.Sprintf("web:%d", s.random.IntN(5))
	s.lock.Unlock()
	tracker := s.client.Tracker()
	stored, err := tracker.Get(workloadsResource, "shop", name)
	if apierrors.IsNotFound(err) {
		created := sample()
		created.Name, created.UID, created.Spec.Template.Image = name, "", image
		require.NoError(t, tracker.Create(workloadsResource, created, "shop"))
		return
	}
	require.NoError(t, err)
	workload := stored.(*fleetv1.Workload)
	switch {
	case what == 0:
		err = tracker.Delete(workloadsResource, "shop", name)
	case workload.DeletionTimestamp == nil:
		workload.Spec.Template.Image, workload.Spec.Replicas = image, ptr.To(int32(what))
		err = tracker.Update(workloadsResource, workload, "shop")
	}
	// The controller may have written or removed the object since.
	if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		require.NoError(t, err)
	}
}

// takeNames creates handwritten deployments with names that workloads need.
func (s *storm) takeNames(t *testing.T) (strangers []string) {
	for i := range takenNames {
		deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("w%d", i)}}
		require.NoError(t, s.client.Tracker().Create(deploymentsResource, deployment, "shop"))
		strangers = append(strangers, deployment.Name)
	}
	return strangers
}

func (s *storm) freeNames(t *testing.T, strangers []string) {
	for _, name := range strangers {
		require.NoError(t, s.client.Tracker().Delete(deploymentsResource, "shop", name))
	}
}

// list returns the objects of a resource in all namespaces, including the system's.
func list[L runtime.Object](t *testing.T, s *storm, resource schema.GroupVersionResource, namespace string) L {
	t.Helper()
	all, err := s.client.Tracker().List(resource, schema.GroupVersionKind{}, namespace)
	require.NoError(t, err)
	return all.(L)
}

// check checks that each workload has everything that it needs exactly once, and that nothing is left of deleted workloads.
func (s *storm) check(t *testing.T, strangers []string) {
	t.Helper()
	workloads := map[string]*fleetv1.Workload{}
	for _, workload := range list[*fleetv1.WorkloadList](t, s, workloadsResource, "shop").Items {
		assert.Nil(t, workload.DeletionTimestamp, "%s is still being deleted", workload.Name)
		assert.Equal(t, workload.Generation, workload.Status.ObservedGeneration, workload.Name)
		workloads[workload.Name] = &workload
	}
	assert.Greater(t, len(workloads), stormObjects/2)
	deployments := 0
	for _, deployment := range list[*appsv1.DeploymentList](t, s, deploymentsResource, "shop").Items {
		if slices.Contains(strangers, deployment.Name) {
			assert.EqualValues(t, 1, deployment.Generation, "%s is not ours", deployment.Name)
			assert.Empty(t, deployment.OwnerReferences, "%s is not ours", deployment.Name)
			continue
		}
		deployments++
		workload := workloads[deployment.Name]
		if !assert.NotNil(t, workload, "%s is left", deployment.Name) {
			continue
		}
		assert.True(t, metav1.IsControlledBy(&deployment, workload), deployment.Name)
		assert.Equal(t, workload.Spec.Template.Image, deployment.Spec.Template.Spec.Containers[0].Image, deployment.Name)
		assert.Equal(t, *workload.Spec.Replicas, *deployment.Spec.Replicas, deployment.Name)
	}
	taken := 0
	for _, name := range strangers {
		if workloads[name] != nil {
			taken++
			assert.Contains(t, conditions(workloads[name]), "Ready=False", name)
		}
	}
	assert.Equal(t, len(workloads)-taken, deployments, "one deployment each")
	records := list[*corev1.ConfigMapList](t, s, corev1.SchemeGroupVersion.WithResource("configmaps"), fleetv1.SystemNamespace).Items
	assert.Len(t, records, len(workloads), "one record each")
	for _, revision := range list[*fleetv1.WorkloadRevisionList](t, s, fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"), "shop").Items {
		owner := metav1.GetControllerOf(&revision)
		require.NotNil(t, owner)
		if assert.NotNil(t, workloads[owner.Name], "%s is left", revision.Name) {
			assert.Equal(t, workloads[owner.Name].UID, owner.UID, revision.Name)
		}
	}
}
