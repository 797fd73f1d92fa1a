package controller

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestMatters(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fleetv1.Workload)
		want   bool
	}{
		"nothing":           {func(*fleetv1.Workload) {}, false},
		"status":            {func(w *fleetv1.Workload) { w.Status.Replicas = 3 }, false},
		"labels":            {func(w *fleetv1.Workload) { w.Labels = map[string]string{"a": "b"} }, false},
		"generation":        {func(w *fleetv1.Workload) { w.Generation++ }, true},
		"no generation":     {func(w *fleetv1.Workload) { w.Generation = 0 }, true},
		"replaced":          {func(w *fleetv1.Workload) { w.UID = "another" }, true},
		"deletion":          {func(w *fleetv1.Workload) { w.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }, true},
		"finalizer added":   {func(w *fleetv1.Workload) { w.Finalizers = append(w.Finalizers, "b") }, true},
		"finalizer removed": {func(w *fleetv1.Workload) { w.Finalizers = nil }, true},
	} {
		before := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Generation: 1, UID: "one", Finalizers: []string{"a"}}}
		after := before.DeepCopy()
		test.change(after)
		assert.Equal(t, test.want, matters(before, after), name)
	}
}

func TestIsNotFound(t *testing.T) {
	starting := apierrors.NewGenericServerResponse(404, "get", fleetv1.Resource("workloads"), "web", "404 page not found", 0, true)
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"none":              {nil, false},
		"not found":         {apierrors.NewNotFound(fleetv1.Resource("workloads"), "web"), true},
		"wrapped":           {fmt.Errorf("get: %w", apierrors.NewNotFound(fleetv1.Resource("workloads"), "web")), true},
		"server is not up":  {starting, false},
		"other":             {errors.New("broken"), false},
		"gone is no answer": {apierrors.NewResourceExpired("too old"), false},
	} {
		assert.Equal(t, test.want, IsNotFound(test.err), name)
	}
}

func TestErrorClasses(t *testing.T) {
	resource := fleetv1.Resource("workloads")
	lock := apierrors.NewConflict(resource, "web", errBroken)
	apply := apierrors.NewApplyConflict([]metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict}}, "conflict with \"them\"")
	closing := apierrors.NewForbidden(resource, "web", errBroken)
	closing.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	terminal := TerminalError(errBroken)
	taken := &NameTakenError{Kind: "Deployment", Name: cache.NewObjectName("shop", "web")}
	classes := map[string]func(error) bool{"terminal": faults.Only[*terminalError], "lock": IsLockConflict, "closing": faults.IsNamespaceTerminating, "taken": faults.Only[*NameTakenError]}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"none":                      {nil, ""},
		"other":                     {errBroken, ""},
		"terminal":                  {terminal, "terminal"},
		"terminal, wrapped":         {fmt.Errorf("step: %w", terminal), "terminal"},
		"terminal twice":            {errors.Join(terminal, fmt.Errorf("step: %w", terminal)), "terminal"},
		"terminal and other":        {errors.Join(terminal, errBroken), ""},
		"terminal around a join":    {TerminalError(errors.Join(lock, errBroken)), "terminal"},
		"lock conflict":             {lock, "lock"},
		"lock conflict, wrapped":    {fmt.Errorf("update: %w", lock), "lock"},
		"lock conflicts":            {errors.Join(lock, lock), "lock"},
		"lock conflict and other":   {errors.Join(lock, errBroken), ""},
		"other and lock conflict":   {fmt.Errorf("%w, then %w", errBroken, lock), ""},
		"apply conflict":            {apply, ""},
		"apply and lock conflict":   {errors.Join(apply, lock), ""},
		"taken":                     {fmt.Errorf("sync: %w", taken), "taken"},
		"taken twice":               {errors.Join(taken, taken), "taken"},
		"taken and other":           {errors.Join(taken, errBroken), ""},
		"already exists":            {apierrors.NewAlreadyExists(resource, "web"), ""},
		"forbidden":                 {apierrors.NewForbidden(resource, "web", errBroken), ""},
		"closing namespace":         {closing, "closing"},
		"closing namespace wrapped": {fmt.Errorf("create: %w", closing), "closing"},
		"closing namespace, other":  {errors.Join(closing, errBroken), ""},
	} {
		for class, is := range classes {
			assert.Equal(t, class == test.want, is(test.err), "%s: %s", name, class)
		}
	}
	assert.NoError(t, TerminalError(nil))
	assert.ErrorIs(t, terminal, errBroken)
	assert.EqualError(t, terminal, "broken")
}

func TestReasonOf(t *testing.T) {
	taken := &NameTakenError{Kind: "Deployment", Name: cache.NewObjectName("shop", "web")}
	assert.EqualError(t, taken, "Deployment shop/web exists and has no controller")
	taken.Controller = &metav1.OwnerReference{Kind: "Workload", Name: "web", UID: "7"}
	assert.EqualError(t, taken, "Deployment shop/web exists and is controlled by Workload web (uid 7)")
	assert.Equal(t, "NameTaken", ReasonOf(errors.Join(errBroken, TerminalError(taken))))
	assert.Equal(t, "Failed", ReasonOf(errBroken))
	assert.Equal(t, "Failed", ReasonOf(nil))
}
