// Package known recognizes the types of Kubernetes in the schemas of CustomResourceDefinitions.
package known

import (
	"context"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// Types are the types of Kubernetes that a module can import. They are not safe for concurrent use.
type Types struct {
	universe *gotype.Universe
}

// Found is the type for a schema.
type Found struct {
	// Type has the import path and the name.
	Type model.Type
	// Lacking are the paths of properties that only the Go type has, sorted, such as "containers[].resizePolicy". Paths below these are
	// left out. An object for which the schema has no properties lacks All of them: "metadata.*".
	Lacking []string
}

// All is the last element of the path of all properties of an object.
const All = "*"

// core is the package that every module must have.
const core = "k8s.io/api/core/v1"

// Load reads the types of Kubernetes that a module can import, at the releases in its go.mod; dir is an absolute directory in the
// module. If go.mod does not require Kubernetes, Load reads the newest release that this program knows. If that cannot be read either, the
// error is a diag.List that says what to go get.
func Load(ctx context.Context, dir string) (*Types, error) {
	owner, err := module.Owner(dir)
	if err != nil {
		return nil, err
	}
	file, err := module.ReadFile(owner.Dir)
	if err != nil {
		return nil, err
	}
	version := module.KubernetesVersion(file, module.ClientGoVersion)
	cfg := load.Config{Dir: dir, Complete: func(copied *modfile.File) error { return module.Complete(copied, version) }}
	for _, row := range Table() {
		if !slices.Contains(cfg.Patterns, row.Package) {
			cfg.Patterns = append(cfg.Patterns, row.Package)
		}
	}
	loaded, diags, err := load.Packages(ctx, cfg)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		t := &Types{gotype.NewUniverse(ctx, loaded)}
		if t.universe.Lookup(core, "Container") != nil { // a vendor directory may lack the other packages
			return t, nil
		}
		err = append(diags, diag.Diagnostic{Message: "no type Container"})[:1] // all packages of a module have the same problem
	}
	return nil, diag.List{{
		Pos:     token.Position{Filename: filepath.Join(owner.Dir, "go.mod"), Line: 1, Column: 1},
		Message: "cannot read " + core + ": " + err.Error(), Hint: "run go get k8s.io/api@" + version, Cause: err,
	}}
}

// Recognize returns the type for the schema of a property. Names lead to it, outermost first: the kind, then properties. Elements of
// lists and maps have the name of the list or map.
func (t *Types) Recognize(names []string, schema *apiextensionsv1.JSONSchemaProps) (best Found, ok bool) {
	for _, row := range Table() {
		if !row.means(names, schema) {
			continue
		}
		decl := t.universe.Lookup(row.Package, row.Name)
		if decl == nil {
			continue // newer than the release
		}
		c := comparison{universe: t.universe}
		if c.fits("", schema, t.universe.Type(decl)) && (!ok || len(c.lacking) < len(best.Lacking)) {
			slices.Sort(c.lacking)
			best, ok = Found{Type: model.Type{Package: row.Package, Name: row.Name}, Lacking: c.lacking}, true
		}
	}
	return best, ok
}
