package crd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Options are the options of controller-gen's generator crd.
type Options struct{ generator crd.Generator }

// ParseOptions reads options in the syntax of controller-gen's command line, such as maxDescLen=0. File names are relative to dir.
func ParseOptions(dir string, options []string) (Options, error) {
	generator, err := Parse[crd.Generator]("crd", nil, options)
	if generator.HeaderFile != "" {
		generator.HeaderFile = diag.Absolute(dir, generator.HeaderFile)
	}
	return Options{generator}, err
}

// Parse reads the options of a generator of controller-gen, given and others that the generator requires. An error names the option.
func Parse[Generator any](name string, required, given []string) (Generator, error) {
	var generator Generator
	definition, err := markers.MakeDefinition(name, markers.DescribesPackage, generator)
	if err != nil {
		return generator, err
	}
	parse := func(options []string) (any, error) {
		if len(options) == 0 {
			return generator, nil
		}
		return definition.Parse("+" + name + ":" + strings.Join(options, ","))
	}
	for _, option := range given {
		if _, err := parse(slices.Concat(required, []string{option})); err != nil {
			return generator, fmt.Errorf("%q: %w", option, First(err))
		}
	}
	parsed, err := parse(slices.Concat(required, given))
	generator, _ = parsed.(Generator)
	return generator, err
}

// First returns the first error of a list of controller-gen's library, from which the others follow, or an error that is not a list.
func First(err error) error {
	if all, ok := errors.AsType[loader.ErrList](err); ok && len(all) > 0 {
		return all[0]
	}
	return err
}
