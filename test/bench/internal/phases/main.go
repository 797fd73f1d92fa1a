// Command phases writes the CustomResourceDefinitions of packages with the library of controller-gen, and prints the CPU time of each step
// as JSON, which is a measure.Steps:
//
//	phases PATTERN DIRECTORY
//
// The files have the content that controller-gen gives them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/version"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "phases:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: phases PATTERN DIRECTORY")
	}
	steps, err := write(args[0], args[1])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(steps)
}

// write writes the definitions of the packages of a pattern to a directory, and returns what it cost since the start of the process.
func write(pattern, dir string) (steps measure.Steps, err error) {
	var before time.Duration
	lap := func() time.Duration {
		now := harness.CPUTime() + harness.ChildCPUTime()
		took := now - before
		before = now
		return took
	}
	allow := true
	var generator genall.Generator = crd.Generator{AllowDangerousTypes: &allow}
	run, err := genall.Generators{&generator}.ForRootsWithConfig(&packages.Config{}, pattern)
	if err != nil {
		return steps, err
	}
	run.OutputRule = genall.OutputToDirectory(dir)
	steps.Load = lap()

	define(run, parse(run))
	steps.Check = lap()

	// The first time, the library also read packages that the roots import. The second time, all of them are in memory.
	parser := parse(run)
	lap()
	define(run, parser)
	steps.Schemas = lap()
	steps.Check -= steps.Schemas

	for _, definition := range parser.CustomResourceDefinitions {
		if err := encode(run.GenerationContext, definition); err != nil {
			return steps, err
		}
	}
	steps.Encoding = lap()
	return steps, nil
}

// parse parses the packages and checks their types.
func parse(run *genall.Runtime) *crd.Parser {
	parser := &crd.Parser{Collector: run.Collector, Checker: run.Checker, AllowDangerousTypes: true}
	crd.AddKnownTypes(parser)
	for _, root := range run.Roots {
		parser.NeedPackage(root)
	}
	return parser
}

// define makes the definitions of all kinds.
func define(run *genall.Runtime, parser *crd.Parser) {
	for _, kind := range crd.FindKubeKinds(parser, crd.FindMetav1(run.Roots)) {
		parser.NeedCRDFor(kind, nil)
	}
}

// encode writes a definition.
func encode(to genall.GenerationContext, definition apiextensionsv1.CustomResourceDefinition) error {
	if definition.Annotations == nil {
		definition.Annotations = map[string]string{}
	}
	definition.Annotations["controller-gen.kubebuilder.io/version"] = version.Version()
	crd.FixTopLevelMetadata(definition)
	versioned, err := crd.AsVersion(definition, apiextensionsv1.SchemeGroupVersion)
	if err != nil {
		return err
	}
	withoutStatus := func(definition map[string]any) error {
		delete(definition, "status")
		return nil
	}
	name := definition.Spec.Group + "_" + definition.Spec.Names.Plural + ".yaml"
	return to.WriteYAML(name, "", []any{versioned},
		genall.WithTransform(withoutStatus), genall.WithTransform(genall.TransformRemoveCreationTimestamp))
}
