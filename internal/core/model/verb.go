package model

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Verb is an operation of a generated client, named as in the genclient markers.
type Verb string

// The verbs of a client, as named by code-generator's +genclient:onlyVerbs and +genclient:skipVerbs.
const (
	Create           Verb = "create"
	Update           Verb = "update"
	UpdateStatus     Verb = "updateStatus"
	Delete           Verb = "delete"
	DeleteWithResult Verb = "deleteWithResult"
	DeleteCollection Verb = "deleteCollection"
	Get              Verb = "get"
	List             Verb = "list"
	Watch            Verb = "watch"
	Patch            Verb = "patch"
	Apply            Verb = "apply"
	ApplyStatus      Verb = "applyStatus"
)

// Verbs is a set of verbs.
type Verbs []Verb

// AllVerbs are all verbs in the order of client interfaces.
var AllVerbs = Verbs{Create, Update, UpdateStatus, Delete, DeleteWithResult, DeleteCollection, Get, List, Watch, Patch, Apply, ApplyStatus}

// ReadOnlyVerbs are the verbs of +genclient:readonly.
var ReadOnlyVerbs = Verbs{Get, List, Watch}

// Has reports whether all the given verbs are in the set.
func (v Verbs) Has(verbs ...Verb) bool {
	return !slices.ContainsFunc(verbs, func(verb Verb) bool { return !slices.Contains(v, verb) })
}

// Without returns the set without the given verbs.
func (v Verbs) Without(verbs ...Verb) Verbs {
	return slices.DeleteFunc(slices.Clone(v), func(verb Verb) bool { return slices.Contains(verbs, verb) })
}

// Strings returns the verbs as strings.
func (v Verbs) Strings() []string {
	return lists.Map(v, func(verb Verb) string { return string(verb) })
}
