package strictfake

import (
	goruntime "runtime"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/verbs"
)

// target returns the target of an action.
func target(action testing.Action, name string) verbs.Target {
	return verbs.Target{
		Resource: action.GetResource(), Namespace: action.GetNamespace(), Name: name, Subresource: action.GetSubresource(),
	}
}

// finalize is the subresource that client-go's fake creates, although its client updates it.
const finalize = "finalize"

// calledByPatch reports whether the method Patch of a client has sent a patch, and not ApplyScale or a generated method for the scale
// (+genclient:method). They record the same action, but want results of different types.
func calledByPatch() bool {
	var callers [32]uintptr
	frames := goruntime.CallersFrames(callers[:goruntime.Callers(1, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "testing.(*Fake).Invokes") {
			frame, _ = frames.Next()
			return strings.HasSuffix(frame.Function, ".Patch")
		}
		if !more {
			return false
		}
	}
}

// reactTyped is the reactor of fake clientsets. It returns nothing to the method Patch for a scale: the Scale does not fit into the object
// that Patch returns, and clients of servers get an empty object.
func (s *Server) reactTyped(action testing.Action) (handled bool, result runtime.Object, err error) {
	handled, result, err = s.react(action)
	_, isPatch := action.(testing.PatchActionImpl)
	if isPatch && action.GetSubresource() == codec.Scale && calledByPatch() {
		return handled, nil, err
	}
	return handled, result, err
}

// react answers an action. It passes on actions for resources that the server does not store, and actions that are not requests for
// objects, such as reading logs.
func (s *Server) react(action testing.Action) (handled bool, result runtime.Object, err error) {
	if !s.verbs.Serves(action.GetResource()) {
		return false, nil, nil
	}
	switch impl := action.(type) {
	case testing.GetActionImpl:
		result, err = s.verbs.Get(target(action, impl.GetName()), impl.GetGetOptions())
	case testing.ListActionImpl:
		result, err = s.verbs.List(target(action, impl.Name), impl.GetListOptions())
	case testing.CreateActionImpl:
		if impl.Subresource == finalize {
			result, err = s.verbs.Update(target(action, ""), impl.GetObject(), metav1.UpdateOptions{})
			break
		}
		result, err = s.verbs.Create(target(action, impl.Name), impl.GetObject(), impl.GetCreateOptions())
	case testing.UpdateActionImpl:
		result, err = s.verbs.Update(target(action, ""), impl.GetObject(), impl.GetUpdateOptions())
	case testing.PatchActionImpl:
		patch := verbs.Patch{Type: impl.GetPatchType(), Data: impl.GetPatch(), Options: impl.GetPatchOptions()}
		result, err = s.verbs.Patch(target(action, impl.GetName()), patch)
	case testing.DeleteActionImpl:
		result, err = s.verbs.Delete(target(action, impl.GetName()), impl.GetDeleteOptions())
	case testing.DeleteCollectionActionImpl:
		err = s.verbs.DeleteCollection(target(action, ""), impl.GetDeleteOptions(), impl.GetListOptions())
	default:
		return false, nil, nil
	}
	if err != nil {
		return true, nil, err
	}
	return true, result, nil
}

// reactToWatch is the watch reactor of fake clientsets.
func (s *Server) reactToWatch(action testing.Action) (handled bool, w watch.Interface, err error) {
	if !s.verbs.Serves(action.GetResource()) {
		return false, nil, nil
	}
	var options metav1.ListOptions
	if impl, ok := action.(testing.WatchActionImpl); ok {
		options = impl.ListOptions
	}
	w, err = s.verbs.Watch(target(action, ""), options)
	if err != nil {
		return true, nil, err
	}
	return true, w, nil
}
