package walk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	typed "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/edge/v1alpha1"
)

// side is a server or a fake in one round.
type side struct {
	tunnels   typed.TunnelInterface
	namespace string
	// read are the returned objects, oldest first.
	read    []*edgev1alpha1.Tunnel
	watches []watch.Interface
	// labels are the placeholders for identifiers and versions, numbered in the order of their first appearance.
	labels map[string]string
}

func newSide(client versioned.Interface, namespace string) *side {
	return &side{tunnels: client.EdgeNetworkV1alpha1().Tunnels(namespace), namespace: namespace, labels: map[string]string{}}
}

// label returns the placeholder for an identifier.
func (s *side) label(prefix, id string) string {
	if id == "" {
		return ""
	}
	key := prefix + id
	if s.labels[key] == "" {
		s.labels[key] = fmt.Sprintf("%s%d", prefix, len(s.labels)+1)
	}
	return s.labels[key]
}

// recent returns an object that was read before: usually the latest with its name, sometimes an older one.
func (s *side) recent(d dice) *edgev1alpha1.Tunnel {
	if len(s.read) == 0 {
		return &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: d.name()}, Spec: d.spec()}
	}
	if d.one(5) {
		return s.read[d.IntN(len(s.read))].DeepCopy()
	}
	name := d.name()
	for _, object := range slices.Backward(s.read) {
		if object.Name == name {
			return object.DeepCopy()
		}
	}
	return s.read[len(s.read)-1].DeepCopy()
}

// do sends a request and returns the visible part of the answer.
func (s *side) do(ctx context.Context, o op) string {
	d := diceOf(o)
	switch o.verb {
	case "create":
		return s.create(ctx, d)
	case "update", "status":
		t, options := s.recent(d), metav1.UpdateOptions{FieldManager: d.manager(), DryRun: d.dryRun()}
		d.change(t)
		if o.verb == "status" {
			return s.object(s.tunnels.UpdateStatus(ctx, t, options))
		}
		return s.object(s.tunnels.Update(ctx, t, options))
	case "patch":
		kind, data := d.patch(s.recent(d).ResourceVersion)
		options := metav1.PatchOptions{FieldManager: d.manager(), DryRun: d.dryRun()}
		return s.object(s.tunnels.Patch(ctx, d.name(), kind, data, options, pick(d, nil, nil, []string{"status"})...))
	case "apply", "applystatus":
		return s.apply(ctx, d, o.verb == "applystatus")
	case "delete":
		return s.status(s.tunnels.Delete(ctx, d.name(), s.deleteOptions(d)))
	case "deletecollection":
		return s.status(
			s.tunnels.DeleteCollection(ctx, s.deleteOptions(d), metav1.ListOptions{LabelSelector: pick(d, "team=red", "tier", "team=blue")}),
		)
	case "get":
		return s.object(s.tunnels.Get(ctx, d.name(), metav1.GetOptions{}))
	case "list":
		return s.list(ctx, d)
	case "watch":
		return s.watch(ctx, d)
	}
	return "unknown verb"
}

func (s *side) create(ctx context.Context, d dice) string {
	t := &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: d.name()}, Spec: d.spec()}
	d.change(t)
	t.Spec = d.spec()
	if d.one(10) {
		t = s.recent(d)
	}
	if d.one(8) {
		t.ResourceVersion = ""
	}
	created, err := s.tunnels.Create(ctx, t, metav1.CreateOptions{FieldManager: d.manager(), DryRun: d.dryRun()})
	if t.ResourceVersion != "" && err != nil &&
		(apierrors.IsAlreadyExists(err) || strings.Contains(err.Error(), "resourceVersion should not be set")) {
		return "refused" // the reason depends on whether the server's cache has the object yet
	}
	return s.object(created, err)
}

func (s *side) apply(ctx context.Context, d dice, status bool) string {
	name, force := d.name(), d.one(3)
	options := metav1.PatchOptions{FieldManager: d.manager(), Force: &force, DryRun: d.dryRun()}
	var subresources []string
	if status {
		subresources = []string{"status"}
	}
	data, err := d.configuration(name, s.namespace, s.recent(d).ResourceVersion, status)
	if err != nil {
		return s.object(nil, err)
	}
	return s.object(s.tunnels.Patch(ctx, name, types.ApplyPatchType, data, options, subresources...))
}

func (s *side) deleteOptions(d dice) metav1.DeleteOptions {
	options := metav1.DeleteOptions{DryRun: d.dryRun()}
	known := s.recent(d)
	switch d.IntN(8) {
	case 0:
		options.Preconditions = &metav1.Preconditions{UID: &known.UID}
	case 1:
		options.Preconditions = &metav1.Preconditions{ResourceVersion: &known.ResourceVersion}
	case 2:
		policy := pick(d, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan, metav1.DeletePropagationBackground)
		options.PropagationPolicy = &policy
	case 3:
		seconds := int64(d.IntN(3))
		options.GracePeriodSeconds = &seconds
	}
	return options
}

// maxPages ends lists that do not end on their own.
const maxPages = 20

func (s *side) list(ctx context.Context, d dice) string {
	options := metav1.ListOptions{
		LabelSelector: pick(d, "", "", "team=red", "team!=red", "team in (red,blue)", "!team", "team=", "=="),
		FieldSelector: pick(d, "", "", "", "metadata.name=a", "metadata.name!=b", "spec.peer=p"),
		Limit:         pick[int64](d, 0, 0, 1, 2, 3),
	}
	if d.one(3) {
		options.ResourceVersion = pick(d, "0", s.recent(d).ResourceVersion, s.recent(d).ResourceVersion, "x")
		options.ResourceVersionMatch = pick(d, "", metav1.ResourceVersionMatchExact, metav1.ResourceVersionMatchNotOlderThan, "Wrong")
	}
	if options.ResourceVersion != "" {
		s.settle(ctx)
	}
	var lines []string
	for range maxPages {
		list, err := s.tunnels.List(ctx, options)
		if err != nil {
			return strings.Join(append(lines, s.status(err)), "\n")
		}
		for i := range list.Items {
			lines = append(lines, s.show(&list.Items[i]))
		}
		left := int64(-1)
		if list.RemainingItemCount != nil {
			left = *list.RemainingItemCount
		}
		lines = append(lines, fmt.Sprintf("page: more %v, %d left", list.Continue != "", left))
		if list.Continue == "" {
			break
		}
		options.Continue, options.ResourceVersion, options.ResourceVersionMatch = list.Continue, "", ""
	}
	return strings.Join(lines, "\n")
}

// settle lets the server's cache catch up: otherwise, answers at any version would depend on time.
func (s *side) settle(ctx context.Context) {
	_, _ = s.tunnels.List(ctx, metav1.ListOptions{}) // the result does not matter
}

// watchSelectors all match the last object of a round.
var watchSelectors = []string{"", "team=red", "team in (red,blue)", "team"}

func (s *side) watch(ctx context.Context, d dice) string {
	s.settle(ctx)
	options := metav1.ListOptions{LabelSelector: watchSelectors[d.IntN(len(watchSelectors))]}
	switch d.IntN(4) {
	case 0:
		options.ResourceVersion = "0"
	case 1, 2:
		options.ResourceVersion = s.recent(d).ResourceVersion
	}
	w, err := s.tunnels.Watch(ctx, options)
	if err != nil {
		return s.status(err)
	}
	s.watches = append(s.watches, w)
	return "watches"
}

// lastName is the name of the last object of a round.
const lastName = "z"

// end writes the last object, and returns the events of all watches up to it.
func (s *side) end(ctx context.Context) []string {
	last := &edgev1alpha1.Tunnel{
		ObjectMeta: metav1.ObjectMeta{Name: lastName, Labels: map[string]string{"team": "red"}},
		Spec:       diceOf(op{}).spec(),
	}
	if _, err := s.tunnels.Create(ctx, last, metav1.CreateOptions{}); err != nil {
		return []string{s.status(err)}
	}
	var all []string
	for i, w := range s.watches {
		all = append(all, fmt.Sprintf("watch %d:\n%s", i, s.events(w)))
		w.Stop()
	}
	return all
}

// patience is the timeout for an event, which always comes, however busy the machine is.
const patience = 3 * time.Minute

func (s *side) events(w watch.Interface) string {
	var lines []string
	for {
		select {
		case event, ok := <-w.ResultChan():
			if !ok {
				return strings.Join(append(lines, "closed"), "\n")
			}
			t, ok := event.Object.(*edgev1alpha1.Tunnel)
			if !ok {
				return strings.Join(append(lines, fmt.Sprintf("%s %s", event.Type, s.status(apierrors.FromObject(event.Object)))), "\n")
			}
			if t.Name == lastName {
				return strings.Join(lines, "\n")
			}
			lines = append(lines, string(event.Type)+" "+s.show(t))
		case <-time.After(patience):
			return strings.Join(append(lines, "no event"), "\n")
		}
	}
}

func (s *side) object(t *edgev1alpha1.Tunnel, err error) string {
	if err != nil {
		return s.status(err)
	}
	s.read = append(s.read, t)
	return s.show(t)
}

// show returns the JSON of an object without fields that differ between sides.
func (s *side) show(t *edgev1alpha1.Tunnel) string {
	t = t.DeepCopy()
	t.UID = types.UID(s.label("u", string(t.UID)))
	t.ResourceVersion = s.label("v", t.ResourceVersion)
	t.Namespace = strings.ReplaceAll(t.Namespace, s.namespace, "<ns>")
	if !t.CreationTimestamp.IsZero() {
		t.CreationTimestamp = metav1.Unix(1, 0)
	}
	if t.DeletionTimestamp != nil {
		t.DeletionTimestamp = &metav1.Time{Time: time.Unix(2, 0)}
	}
	for i := range t.ManagedFields {
		t.ManagedFields[i].Time = nil
	}
	slices.SortFunc(t.ManagedFields, func(a, b metav1.ManagedFieldsEntry) int {
		return strings.Compare(a.Manager+string(a.Operation)+a.Subresource, b.Manager+string(b.Operation)+b.Subresource)
	})
	data, err := json.Marshal(t)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// status returns the visible part of an error.
func (s *side) status(err error) string {
	if err == nil {
		return "ok"
	}
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return "error: " + err.Error()
	}
	is := status.Status()
	text := fmt.Sprintf("%d %s: %s", is.Code, is.Reason, is.Message)
	if is.Details == nil {
		return s.mask(text)
	}
	var causes []string
	for _, cause := range is.Details.Causes {
		causes = append(causes, fmt.Sprintf("\n\t%s %s: %s", cause.Type, cause.Field, cause.Message))
	}
	slices.Sort(causes) // conflicts come in any order
	return s.mask(text + strings.Join(causes, ""))
}

// mask replaces identifiers in a message.
func (s *side) mask(text string) string {
	// The server names the key with or without its prefix, depending on where it finds the object.
	pairs := []string{s.namespace, "<ns>", "Key: /registry/", "Key: /"}
	for key, label := range s.labels {
		if strings.HasPrefix(label, "u") && len(key) > 8 {
			pairs = append(pairs, key[1:], label)
		}
	}
	text = strings.NewReplacer(pairs...).Replace(text)
	return versionsInText.ReplaceAllStringFunc(text, func(found string) string {
		of := versionsInText.FindStringSubmatch(found)
		return of[1] + s.label("v", of[2])
	})
}

// versionsInText are the resource versions in messages.
var versionsInText = regexp.MustCompile(`(ResourceVersion in (?:the precondition|record) \()(\d+)`)
