package crd

import (
	"compress/gzip"
	"encoding/base64"
	"io"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// The sizes in bytes from which on there is a warning, and the limits: of all annotations of an object, in which "kubectl apply" keeps
// the applied object (TotalAnnotationSizeLimitB in k8s.io/apimachinery), and of a Secret, in which Helm keeps a release (MaxSecretSize in
// k8s.io/api/core/v1).
const (
	largeForKubectl, limitOfKubectl = 230_000, 262_144
	largeForHelm, limitOfHelm       = 800_000, 1_048_576
)

// Large warns of definitions that programs refuse, or soon will, unless the user has decided about the length of comments.
func (o Options) Large(made []Definition) (found diag.List) {
	if o.Descriptions == option.DescriptionsAll || o.generator.MaxDescLen != nil {
		return nil
	}
	shorter := "or shorten comments with crd-descriptions: own; crd-descriptions: all ends this warning"
	if o.Descriptions == option.DescriptionsOwn {
		shorter = "or shorten comments with maxDescLen in crd-options, which ends this warning"
	}
	total := 0
	for _, d := range made {
		total += len(d.Content)
		if d.Size > largeForKubectl {
			found.Warn(d.Pos, "apply it with kubectl apply --server-side, "+shorter,
				"the definition in %s has %d bytes as JSON, and kubectl apply without --server-side takes at most %d", d.File, d.Size, limitOfKubectl)
		}
	}
	// Compressing takes a tenth of the run. Definitions of public projects have a third of their size in a release, or less.
	if total > 3*largeForHelm {
		if size := inRelease(made); size > largeForHelm {
			found.Warn(made[0].Pos, "install them without Helm, with several charts, "+shorter,
				"the %d definitions take %d bytes in a release of Helm, which is stored in a Secret of at most %d", len(made), size, limitOfHelm)
		}
	}
	return found
}

// withoutDescriptions returns an override that removes the comments of a package. It calls another override first, which may be nil.
func withoutDescriptions(override crd.PackageOverride) crd.PackageOverride {
	return func(parser *crd.Parser, pkg *loader.Package) {
		if override == nil {
			override = (*crd.Parser).AddPackage
		}
		override(parser, pkg)
		for t, info := range parser.Types {
			if t.Package == pkg {
				info.Doc = ""
				for i := range info.Fields {
					info.Fields[i].Doc = ""
				}
			}
		}
	}
}

// inRelease returns the size of definitions in a release of Helm, which compresses files after it has encoded them (encodeRelease in
// helm.sh/helm/v3/pkg/storage/driver). Helm compresses by 2 % more, which would take five times as long.
func inRelease(made []Definition) int {
	var size counter
	encoder := base64.NewEncoder(base64.StdEncoding, &size)
	compressor := gzip.NewWriter(encoder)
	for _, d := range made {
		file := base64.NewEncoder(base64.StdEncoding, compressor)
		_, _ = file.Write(d.Content) // counting does not fail
		_ = file.Close()
	}
	_, _ = compressor.Close(), encoder.Close()
	return int(size)
}

// counter counts written bytes.
type counter int

var _ io.Writer = new(counter)

// Write implements io.Writer.
func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}
