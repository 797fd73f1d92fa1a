package crd

import (
	"errors"
	"fmt"
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
	definition, err := markers.MakeDefinition("crd", markers.DescribesPackage, crd.Generator{})
	if err != nil || len(options) == 0 {
		return Options{}, err
	}
	for _, option := range options { // so that an error names the option
		if _, err := definition.Parse("+crd:" + option); err != nil {
			if all, ok := errors.AsType[loader.ErrList](err); ok && len(all) > 0 { // the others follow from the first one
				err = all[0]
			}
			return Options{}, fmt.Errorf("%q: %w", option, err)
		}
	}
	parsed, err := definition.Parse("+crd:" + strings.Join(options, ","))
	generator, _ := parsed.(crd.Generator)
	if generator.HeaderFile != "" {
		generator.HeaderFile = diag.Absolute(dir, generator.HeaderFile)
	}
	return Options{generator}, err
}
