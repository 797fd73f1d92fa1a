package conversiontest_test

import (
	"fmt"
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// Robot is the hub, for example of package v1.
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Size  Size   `json:"size"`
	Color string `json:"color,omitempty"`
}

// Size is small or large.
type Size string

// Hub implements conversion.Hub of controller-runtime.
func (*Robot) Hub() {}

// OldRobot is a spoke, for example of package v1beta1.
type OldRobot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Large bool `json:"large,omitempty"`
}

// ConvertTo implements conversion.Convertible.
func (r *OldRobot) ConvertTo(to hub) error {
	robot := to.(*Robot)
	robot.ObjectMeta, robot.Size = r.ObjectMeta, "small"
	if r.Large {
		robot.Size = "large"
	}
	return nil
}

// ConvertFrom implements conversion.Convertible.
func (r *OldRobot) ConvertFrom(from hub) error {
	robot := from.(*Robot)
	if robot.Size != "small" && robot.Size != "large" {
		return fmt.Errorf("unknown size %q", robot.Size)
	}
	r.ObjectMeta, r.Large = robot.ObjectMeta, robot.Size == "large"
	return nil
}

// sizes fills in valid sizes.
func sizes(size *Size, c randfill.Continue) { *size = []Size{"small", "large"}[c.Intn(2)] }

// The old version has no color, and the conversion forgets it.
func ExampleRoundTrip() {
	t := exampleT{} // a *testing.T

	conversiontest.RoundTrip[Robot, OldRobot](t, conversiontest.WithFuncs(sizes))
	// Output:
	// conversiontest_test.Robot → conversiontest_test.OldRobot → conversiontest_test.Robot loses 1 field (seed 1, 100 iterations):
	// 	color: lost "zbsbo\"", first in iteration 0
	// 	keep them, for example in an annotation, or allow the loss by WithLoss[conversiontest_test.Robot](path, reason)
}

// A loss that is known, with more values than by default, and others.
func ExampleWithLoss() {
	t := exampleT{} // a *testing.T

	conversiontest.RoundTrip[Robot, OldRobot](t,
		conversiontest.WithFuncs(sizes),
		conversiontest.WithLoss[Robot]("color", "v1beta1 is read-only since 2.0"),
		conversiontest.WithSeed(42),
		conversiontest.WithIterations(500))
	fmt.Println("nothing else is lost")
	// Output: nothing else is lost
}

// Without the methods of controller-runtime, the functions are those of a scheme.
func ExampleWithScheme() {
	t := exampleT{} // a *testing.T

	scheme := runtime.NewScheme()
	err := scheme.AddConversionFunc(&Robot{}, &OldRobot{}, func(from, to any, _ conversion.Scope) error {
		return to.(*OldRobot).ConvertFrom(from.(*Robot))
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	err = scheme.AddConversionFunc(&OldRobot{}, &Robot{}, func(from, to any, _ conversion.Scope) error {
		return from.(*OldRobot).ConvertTo(to.(*Robot))
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	conversiontest.RoundTrip[Robot, OldRobot](t, conversiontest.WithScheme(scheme), conversiontest.WithFuncs(sizes),
		conversiontest.WithLoss[Robot]("color", "v1beta1 is read-only since 2.0"))
	fmt.Println("nothing else is lost")
	// Output: nothing else is lost
}

// exampleT stands for the *testing.T that examples do not have. It has the methods that are called.
type exampleT struct{ testing.TB }

// Helper implements testing.TB.
func (exampleT) Helper() {}

// Errorf implements testing.TB.
func (exampleT) Errorf(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }

// Fatalf implements testing.TB.
func (t exampleT) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	panic("the example fails") //nolint:forbidigo // examples have no test to fail
}
