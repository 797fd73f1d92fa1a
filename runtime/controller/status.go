package controller

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
)

// StatusUpdater is a client with a status subresource.
type StatusUpdater[T Object] interface {
	UpdateStatus(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
}

// UpdateStatus updates the status if it differs from before, and records the write, see [Wrote]. It returns the object with the
// written status, or after if there is nothing to write. Objects without a field Status are an error. If after has a resource
// version, as copies of cached objects do, the write does not enqueue the object again, see the package comment.
func UpdateStatus[T Object](ctx context.Context, client StatusUpdater[T], before, after T) (T, error) {
	if differ, err := statusesDiffer(before, after); err != nil || !differ {
		return after, err
	}
	version := after.GetResourceVersion()
	updated, err := client.UpdateStatus(ctx, after, metav1.UpdateOptions{})
	return updated, recordReplaced(ctx, version, after, updated, err)
}

// recordReplaced is [Record] for a request that carried a resource version and only changes the status or the finalizers: the event
// about it does not enqueue the object.
func recordReplaced(ctx context.Context, version string, object, written metav1.Object, err error) error {
	if err == nil {
		consistency.Replaced(ctx, version, written)
		return nil
	}
	return Record(ctx, object, nil, err)
}

// StatusApplier applies the status of objects by server-side apply, see [StatusOf].
type StatusApplier[T Object, A StatusConfiguration[A]] struct {
	client  StatusClient[T, A]
	extract func(T, string) (A, error)
}

// StatusClient is a client that applies the status subresource. A is the type of its apply configurations.
type StatusClient[T Object, A any] interface {
	ApplyStatus(ctx context.Context, config A, options metav1.ApplyOptions) (T, error)
}

// StatusConfiguration is the part of an apply configuration that StatusOf needs.
type StatusConfiguration[A any] interface {
	WithResourceVersion(value string) A
}

// StatusOf returns a StatusApplier. The function extract returns the status that a field manager has applied.
//
//	apply := controller.StatusOf(kube.AppsV1().Deployments("shop"), appsv1apply.ExtractDeploymentStatus)
//	deployment, err := apply.Apply(ctx, deployment, status, options)
func StatusOf[T Object, A StatusConfiguration[A]](
	client StatusClient[T, A], extract func(object T, fieldManager string) (A, error),
) StatusApplier[T, A] {
	return StatusApplier[T, A]{client, extract}
}

// Apply applies the status if it differs from the status that the field manager applied before, and records the write, see [Wrote].
// It returns the object with the written status, or object if there is nothing to write. The comparison needs the managed fields of
// the object, which are only cached with informer.WithManagedFields.
//
// The request carries the resource version of object: if the API server has another, Apply returns a conflict, see
// [IsLockConflict]. So the write does not enqueue the object again, see the package comment.
func (s StatusApplier[T, A]) Apply(ctx context.Context, object T, status A, options metav1.ApplyOptions) (T, error) {
	applied, err := s.extract(object, options.FieldManager)
	if err != nil {
		return object, err
	}
	if differ, err := statusesDiffer(applied, status); err != nil || !differ {
		return object, err
	}
	version := object.GetResourceVersion()
	if version != "" { // fake clientsets leave it empty
		status = status.WithResourceVersion(version)
	}
	written, err := s.client.ApplyStatus(ctx, status, options)
	return written, recordReplaced(ctx, version, object, written, err)
}

// statusesDiffer compares the fields Status of two objects of one type.
func statusesDiffer(before, after any) (bool, error) {
	was, err := statusIn(before)
	if err != nil {
		return false, err
	}
	is, _ := statusIn(after)
	return !equality.Semantic.DeepEqual(was, is), nil
}

// statusIn returns the field Status of an object or of an apply configuration.
func statusIn(object any) (any, error) {
	if untyped, ok := object.(*unstructured.Unstructured); ok {
		return untyped.Object["status"], nil
	}
	if value := reflect.Indirect(reflect.ValueOf(object)); value.Kind() == reflect.Struct {
		if status := value.FieldByName("Status"); status.IsValid() {
			return status.Interface(), nil
		}
	}
	return nil, fmt.Errorf("a %T has no field Status", object)
}

// SetCondition sets a condition, with the generation of the object as its observed generation, and reports whether the conditions
// changed. The conditions are usually those in the status of the object.
//
//	controller.SetCondition(workload, &workload.Status.Conditions, condition)
func SetCondition(object metav1.Object, conditions *[]metav1.Condition, condition metav1.Condition) bool {
	condition.ObservedGeneration = object.GetGeneration()
	return meta.SetStatusCondition(conditions, condition)
}
