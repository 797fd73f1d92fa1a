package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// patience is the timeout of a step.
const patience = 30 * time.Second

const namespace = "shop"

// story is the sequence of events in the demo.
type story struct {
	timeline           *timeline
	config             *rest.Config
	binary, kubeconfig string

	client     versioned.Interface
	kube       kubernetes.Interface
	world      *observer
	candidates []*candidate
}

// tell runs all steps. The processes that it started continue to run, except after an error.
func (s *story) tell(ctx context.Context, crds string) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.end())
		}
	}()
	if err := s.prepare(ctx, crds); err != nil {
		return err
	}
	s.timeline.chapter("Two candidates: a leader and a standby")
	alpha, err := s.start(ctx, "alpha")
	if err != nil {
		return err
	}
	if err := await(ctx, "alpha leads", alpha.leads); err != nil {
		return err
	}
	beta, err := s.start(ctx, "beta")
	if err != nil {
		return err
	}
	if err := s.ordinaryLife(ctx); err != nil {
		return err
	}
	if err := s.crash(ctx, alpha, beta); err != nil {
		return err
	}
	return s.handOver(ctx, beta)
}

// prepare installs the kinds and starts watching the server.
func (s *story) prepare(ctx context.Context, crds string) (err error) {
	definitions, err := apiservertest.ReadCRDs(crds)
	if err != nil {
		return err
	}
	if err := apiservertest.InstallCRDs(ctx, s.config, definitions...); err != nil {
		return err
	}
	s.timeline.say("demo", "installed the %d CustomResourceDefinitions of the examples", len(definitions))
	if s.client, err = versioned.NewForConfig(s.config); err != nil {
		return err
	}
	if s.kube, err = kubernetes.NewForConfig(s.config); err != nil {
		return err
	}
	if s.world, err = observe(ctx, s.timeline, s.client, s.kube); err != nil {
		return err
	}
	s.timeline.say("demo", "creates region north")
	region := &fleetv1.Region{
		ObjectMeta: metav1.ObjectMeta{Name: "north"},
		Spec:       fleetv1.RegionSpec{Country: "NO", Endpoint: "https://north.example.com"},
	}
	_, err = s.client.FleetV1().Regions().Create(ctx, region, metav1.CreateOptions{})
	return err
}

// start starts a candidate and waits until it is ready.
func (s *story) start(ctx context.Context, name string) (*candidate, error) {
	c, err := startCandidate(s.timeline, name, s.binary, s.kubeconfig)
	if err != nil {
		return nil, err
	}
	s.candidates = append(s.candidates, c)
	return c, await(ctx, name+" is ready", c.ready)
}

// ordinaryLife creates, changes and deletes workloads.
func (s *story) ordinaryLife(ctx context.Context) error {
	s.timeline.chapter("Create a workload")
	if err := s.create(ctx, "web", 3, map[string]string{"web.conf": "color = blue"}); err != nil {
		return err
	}
	s.timeline.chapter("Update it")
	s.timeline.say("demo", "updates workload shop/web: image web:2")
	if err := s.edit(ctx, "web", func(w *fleetv1.Workload) { w.Spec.Template.Image = "web:2" }); err != nil {
		return err
	}
	if err := s.ready(ctx, "web", 2); err != nil {
		return err
	}
	s.timeline.chapter("Delete an owned object")
	s.timeline.say("demo", "deletes deployment shop/web behind the controller's back")
	lost, err := s.kube.AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := s.kube.AppsV1().Deployments(namespace).Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		return err
	}
	err = s.world.until(ctx, "deployment shop/web runs again", func() bool {
		deployment := s.world.deployment(namespace, "web")
		return deployment != nil && deployment.UID != lost.UID && deployment.Status.ReadyReplicas == *lost.Spec.Replicas
	})
	if err != nil {
		return err
	}
	if err := s.ready(ctx, "web", 2); err != nil {
		return err
	}
	s.timeline.chapter("Delete the workload")
	s.timeline.say("demo", "deletes workload shop/web")
	if err := s.client.FleetV1().Workloads(namespace).Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return s.world.until(ctx, "workload shop/web and what it owned are gone", func() bool {
		return s.world.workload(namespace, "web") == nil && s.world.deployment(namespace, "web") == nil
	})
}

// crash kills the leader. Another candidate takes over when the lease expires, and handles the changes made in the meantime.
func (s *story) crash(ctx context.Context, leader, next *candidate) error {
	s.timeline.chapter("The leader crashes")
	leader.kill(s.timeline)
	killed := time.Now()
	s.timeline.say("demo", "creates workload shop/orphan, without a leader")
	if err := s.post(ctx, "orphan", 1, nil); err != nil {
		return err
	}
	if err := await(ctx, next.name+" leads", next.leads); err != nil {
		return err
	}
	s.timeline.say("demo", "%q leads %.1f s after the crash; the lease duration is %v", next.name, time.Since(killed).Seconds(), leaseDuration)
	return s.ready(ctx, "orphan", 1)
}

// handOver terminates the leader, which releases the lease.
func (s *story) handOver(ctx context.Context, leader *candidate) error {
	s.timeline.chapter("The leader terminates")
	next, err := s.start(ctx, "gamma")
	if err != nil {
		return err
	}
	told := time.Now()
	if err := leader.terminate(s.timeline); err != nil {
		return fmt.Errorf("%s: %w", leader.name, err)
	}
	if err := await(ctx, next.name+" leads", next.leads); err != nil {
		return err
	}
	s.timeline.say(
		"demo",
		"%q leads %.0f ms after SIGTERM to %q, which released the lease",
		next.name,
		1000*next.ledAt.Sub(told).Seconds(),
		leader.name,
	)
	return s.create(ctx, "last", 2, nil)
}

// end terminates all candidates.
func (s *story) end() error {
	var errs []error
	for _, c := range s.candidates {
		select {
		case <-c.ended:
		default:
			if err := c.terminate(s.timeline); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// create creates a workload and waits until it is ready.
func (s *story) create(ctx context.Context, name string, replicas int32, config map[string]string) error {
	s.timeline.say("demo", "creates workload %s/%s: image %s:1, %d replicas, in region north", namespace, name, name, replicas)
	if err := s.post(ctx, name, replicas, config); err != nil {
		return err
	}
	return s.ready(ctx, name, 1)
}

func (s *story) post(ctx context.Context, name string, replicas int32, config map[string]string) error {
	_, err := s.client.FleetV1().Workloads(namespace).Create(ctx, &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: fleetv1.WorkloadSpec{
			Replicas: new(replicas), RegionName: "north", Config: config, Template: fleetv1.WorkloadTemplate{Image: name + ":1"},
		},
	}, metav1.CreateOptions{})
	return err
}

func (s *story) edit(ctx context.Context, name string, change func(*fleetv1.Workload)) error {
	workload, err := s.client.FleetV1().Workloads(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	change(workload)
	_, err = s.client.FleetV1().Workloads(namespace).Update(ctx, workload, metav1.UpdateOptions{})
	return err
}

// ready waits until all replicas run a revision.
func (s *story) ready(ctx context.Context, name string, revision int64) error {
	return s.world.until(ctx, fmt.Sprintf("revision %d of workload %s/%s is ready", revision, namespace, name), func() bool {
		workload := s.world.workload(namespace, name)
		return workload != nil && workload.Status.CurrentRevision == revision && workload.Status.ObservedGeneration == workload.Generation &&
			meta.IsStatusConditionTrue(workload.Status.Conditions, fleetv1.ConditionReady)
	})
}

// await waits until a candidate logs an event.
func await(ctx context.Context, what string, said <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-said:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waited in vain until %s: %w", what, ctx.Err())
	}
}
