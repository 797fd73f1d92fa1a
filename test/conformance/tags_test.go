package conformance

import (
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/code-generator/cmd/client-gen/generators/util"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// read is what our program reads from markers.
type read struct {
	markers marker.Set
	verbs   model.Verbs
	methods []marker.ClientMethod
	diags   diag.List
}

// readMarkers reads marker lines from a source file as our program does.
func readMarkers(t *testing.T, lines []string) (r read) {
	t.Helper()
	fset := token.NewFileSet()
	src := "package p\n\n// " + strings.Join(lines, "\n// ") + "\ntype T struct{}\n"
	file, err := parser.ParseFile(fset, "t.go", src, parser.ParseComments)
	require.NoError(t, err)
	scanned := marker.Scan(fset, file.Comments...)
	marker.CheckSpelling(scanned, &r.diags)
	r.markers = marker.Check(scanned, marker.OnType, &r.diags)
	r.verbs, r.methods = source.ReadMarkers(r.markers).Client(&r.diags)
	return r
}

// randomTags returns marker lines that both programs consider valid: no marker twice, except methods, and not both onlyVerbs and
// skipVerbs, one of which upstream ignores.
func randomTags(r *rand.Rand) []string {
	lines := []string{"some text", "+genclient"}
	for _, tag := range []string{"nonNamespaced", "noStatus", "noVerbs", "readonly"} {
		if r.IntN(3) == 0 {
			lines = append(lines, "+genclient:"+tag)
		}
	}
	if verbs := randomVerbs(r); len(verbs) > 0 {
		tag := []string{"onlyVerbs", "skipVerbs"}[r.IntN(2)]
		if tag == "onlyVerbs" || !slices.Contains(lines, "+genclient:readonly") {
			lines = append(lines, "+genclient:"+tag+"="+strings.Join(verbs, ","))
		}
	}
	for i := range r.IntN(4) {
		lines = append(lines, randomMethod(r, i))
	}
	lines = append(lines, "+kubebuilder:object:root=true")
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

func randomVerbs(r *rand.Rand) []string {
	verbs := slices.Clone(util.SupportedVerbs)
	r.Shuffle(len(verbs), func(i, j int) { verbs[i], verbs[j] = verbs[j], verbs[i] })
	return verbs[:r.IntN(len(verbs))]
}

func randomMethod(r *rand.Rand, i int) string {
	verb := []string{"create", "update", "get", "list", "patch", "apply"}[r.IntN(6)]
	line := fmt.Sprintf("+genclient:method=Method%d,verb=%s", i, verb)
	if r.IntN(2) == 0 {
		line += ",subresource=sub"
	}
	if r.IntN(2) == 0 && (verb == "create" || verb == "update" || verb == "apply") {
		line += []string{",input=Other", ",input=k8s.io/api/autoscaling/v1.Scale"}[r.IntN(2)]
	}
	if r.IntN(2) == 0 {
		line += []string{",result=Other", ",result=k8s.io/api/autoscaling/v1.Scale"}[r.IntN(2)]
	}
	return line
}

func TestTagsAgreeWithUpstream(t *testing.T) {
	for seed := range uint64(2000) {
		lines := randomTags(rand.New(rand.NewPCG(seed, 0)))
		want, err := util.ParseClientGenTags(lines)
		require.NoError(t, err, "%q", lines)
		got := readMarkers(t, lines)
		require.Empty(t, got.diags, "%q", lines)

		assert.Equal(t, want.GenerateClient, got.markers.Has(marker.GenClient))
		assert.Equal(t, want.NonNamespaced, got.markers.Has(marker.NonNamespaced))
		assert.Equal(t, want.NoStatus, got.markers.Has(marker.NoStatus))
		assert.Equal(t, want.NoVerbs, got.markers.Has(marker.NoVerbs))
		for _, verb := range util.SupportedVerbs {
			assert.Equal(t, want.HasVerb(verb), got.verbs.Has(model.Verb(verb)), "%s of %q", verb, lines)
		}
		require.Len(t, got.methods, len(want.Extensions))
		for i, extension := range want.Extensions {
			method := got.methods[i]
			assert.Equal(t, extension.VerbName, method.Name)
			assert.Equal(t, extension.VerbType, string(method.Verb))
			assert.Equal(t, extension.SubResourcePath, method.Subresource)
			assert.Equal(t, extension.InputTypeOverride, method.Input.Text)
			assert.Equal(t, extension.ResultTypeOverride, method.Result.Text)
		}
		if t.Failed() {
			t.Fatalf("tags: %q", lines)
		}
	}
}

// TestRejectsMarkersThatUpstreamRejects checks that we report the lines that make upstream's programs panic.
func TestRejectsMarkersThatUpstreamRejects(t *testing.T) {
	for _, line := range []string{
		"+genclient=true",
		"+genclientx",
		"+genclient:unknown",
		"+genclient:method=",
		"+genclient:method=Foo",
		"+genclient:method=Foo,x",
		"+genclient:method=Foo,verb=",
		"+genclient:method=Foo,verb=get,result=",
		"+genclient:method=Foo,verb=get,wat=1",
		"+genclient:method=Foo,verb=get,input=Bar",
		"+genclient:method=Foo,verb=watch",
		"+genclient:method=Foo,verb=delete",
		"+genclient:method=Foo,verb=deleteCollection",
		"+genclient:method=Foo,verb=updateStatus",
		"+genclient:method=Foo,verb=delete,result=Bar",
	} {
		t.Run(line, func(t *testing.T) {
			_, err := util.ParseClientGenTags([]string{line})
			require.Error(t, err)
			diags := readMarkers(t, []string{line}).diags
			require.NotEmpty(t, diags)
			assert.Equal(t, 3, diags[0].Pos.Line)
		})
	}
}
