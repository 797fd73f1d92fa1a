package handover_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// A leader with a tracker of its own. When it releases the lease, its successor finds there what it has written.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	kube := kubetest.NewClientset()
	tracker, factory := consistency.NewTracker(), informer.NewFactory()
	defer factory.Shutdown()
	source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("secrets"), kube.CoreV1().Secrets)
	stop, err := consistency.Watch(tracker, informer.For(factory, source))
	if err != nil {
		log.Print(err)
		return
	}
	defer stop()
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}

	record := handover.New()
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "system", Name: "tokens"},
			Client:     record.Leases(kube.CoordinationV1()),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "me"},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				defer cancel()
				if behind := record.CatchUp(ctx, "tokens", tracker); len(behind) > 0 {
					log.Print("caches are behind the previous leader: ", behind)
				}
				ctx, session := tracker.Begin(ctx, web)
				defer session.End()
				token := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "token"}}
				if _, err := consistency.NewClient(source).In("shop").Create(ctx, token, metav1.CreateOptions{}); err != nil {
					log.Print(err)
				}
			},
			OnStoppedLeading: func() {},
		},
	})

	ctx = context.Background()
	token, err := kube.CoreV1().Secrets("shop").Get(ctx, "token", metav1.GetOptions{})
	lease, err2 := kube.CoordinationV1().Leases("system").Get(ctx, "tokens", metav1.GetOptions{})
	if err := errors.Join(err, err2); err != nil {
		log.Print(err)
		return
	}
	fmt.Println(lease.Annotations[handover.Annotation] == `{"tokens":{"secrets":"`+token.ResourceVersion+`"}}`)
	// Output: true
}
