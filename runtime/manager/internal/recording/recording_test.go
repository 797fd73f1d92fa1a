package recording

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/release"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slowSink is an API server that takes its time.
type slowSink struct {
	events.EventSink

	takes time.Duration
	lock  sync.Mutex
	notes []string
}

func (s *slowSink) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	time.Sleep(s.takes)
	s.lock.Lock()
	defer s.lock.Unlock()
	s.notes = append(s.notes, event.Note)
	return event, nil
}

// TestEnd records events and ends at once. All are written, unless the API server takes too long. Newer client-go sends events
// one after the other: it has time for two.
func TestEnd(t *testing.T) {
	slow := 20
	if release.Has38() {
		slow = 2
	}
	for takes, want := range map[time.Duration]int{0: 20, 1100 * time.Millisecond: slow, time.Minute: 0} {
		synctest.Test(t, func(t *testing.T) {
			to := &slowSink{takes: takes}
			r := newRecording(to)
			require.NoError(t, r.Start(t.Context()))
			recorder := r.NewRecorder(kubescheme.Scheme, "test")
			for i := range 20 {
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}}
				recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Stopped", "Stop", "note %d", i)
			}
			began := time.Now()
			r.End(3 * time.Second)
			to.lock.Lock()
			assert.Len(t, to.notes, want)
			to.lock.Unlock()
			assert.LessOrEqual(t, time.Since(began), 3*time.Second)
			time.Sleep(time.Hour)
		})
	}
}

// TestRefused records events that client-go refuses: about an object of no scheme, and of no type. Nothing is waited for.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecording(&slowSink{})
		require.NoError(t, r.Start(t.Context()))
		recorder := r.NewRecorder(runtime.NewScheme(), "test")
		recorder.Eventf(&corev1.Pod{}, nil, corev1.EventTypeNormal, "Stopped", "Stop", "note")
		r.NewRecorder(kubescheme.Scheme, "test").Eventf(&corev1.Pod{}, nil, "Info", "Stopped", "Stop", "note")
		began := time.Now()
		r.End(3 * time.Second)
		assert.Zero(t, time.Since(began))
	})
}

// TestNothingRecorded ends at once.
func TestNothingRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecording(&slowSink{})
		require.NoError(t, r.Start(t.Context()))
		began := time.Now()
		r.End(3 * time.Second)
		r.End(3 * time.Second)
		assert.Zero(t, time.Since(began))
		newRecording(&slowSink{}).End(time.Second)
	})
}
