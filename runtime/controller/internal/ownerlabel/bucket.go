package ownerlabel

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// ShardedOf is Of for owners that replicas share. It has the key of the second label, fleet.example.com/owner-bucket.
func ShardedOf(owner schema.GroupKind) Label {
	label := Of(owner)
	label.BucketKey = keyOf(owner, "owner-bucket")
	return label
}

// Of returns the label of the objects that an object with a UID owns.
func (l Label) Of(owner types.UID) Label {
	if l.BucketKey != "" {
		l.Bucket = strconv.Itoa(int(informer.BucketOf(owner)))
	}
	return l
}

// ofOwner is Of for the controller of an object.
func (l Label) ofOwner(owned metav1.Object) Label {
	ref := metav1.GetControllerOfNoCopy(owned)
	if ref == nil {
		return l
	}
	return l.Of(ref.UID)
}
