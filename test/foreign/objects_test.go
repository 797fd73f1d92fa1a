package foreign

import (
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/schemas"
)

// pathsPerObject is the number of the schema's paths for each random object: an object concentrates on about ten.
const pathsPerObject = 6

// randomObjects returns random objects of a version, the same in every run: more of them for larger schemas.
func randomObjects(v objects.Version) (made []map[string]any) {
	seed := fnv.New64()
	seed.Write([]byte(v.String()))
	maker := objects.NewMaker(v, seed.Sum64())
	for range max(20, maker.Paths()/pathsPerObject) {
		if object := maker.Make(); object != nil {
			made = append(made, object)
		}
	}
	return made
}

// findings counts differences between objects by reason, and reports those without a reason.
type findings struct {
	objects, same, reported int
	reasons                 map[string]int
}

// compare compares two objects of a version.
func (f *findings) compare(t *testing.T, v objects.Version, want, have map[string]any, reasons []reason) {
	t.Helper()
	f.objects++
	changes := v.Diff(want, have)
	if len(changes) == 0 {
		f.same++
	}
	for _, change := range changes {
		text := reasonFor(change, reasons)
		if text == "" {
			text = "none"
			if f.reported++; f.reported <= 10 {
				assert.Fail(t, "difference without a reason", "%s %s", v.GroupVersionKind, change)
			}
		}
		f.count(text)
	}
}

// count counts a reason.
func (f *findings) count(reason string) {
	if f.reasons == nil {
		f.reasons = map[string]int{}
	}
	f.reasons[reason]++
}

func (f *findings) add(other findings) {
	f.objects, f.same = f.objects+other.objects, f.same+other.same
	for reason, n := range other.reasons {
		if f.reasons == nil {
			f.reasons = map[string]int{}
		}
		f.reasons[reason] += n
	}
}

// TestRandomObjects checks that every version has valid random objects, and measures how many of the schema's paths they have.
func TestRandomObjects(t *testing.T) {
	seen, all, versions := 0, 0, 0
	for _, p := range corpus(t) {
		for _, v := range p.versions {
			made := randomObjects(v)
			assert.NotEmpty(t, made, "%s: no valid object of %s", p.Name, v.GroupVersionKind)
			paths := map[string]bool{}
			for _, object := range made {
				v.Paths(object, paths)
			}
			flat, err := schemas.Flatten(v.Schema)
			require.NoError(t, err)
			for path := range flat {
				if paths[path] {
					seen++
				}
			}
			all, versions = all+len(flat), versions+1
		}
	}
	t.Logf("%d versions, %d of %d paths: %.1f %%", versions, seen, all, percent(seen, all))
}

// TestRoundTrip decodes and encodes random objects with the types, without and with recognition: no field is lost, invented or
// changed, except for listed reasons.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		name    string
		flags   []string
		reasons []reason
	}{{"plain", []string{"--recognize=false"}, roundTripReasons}, {"recognized", nil, recognizedReasons}} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTree(t, c.name+"-types", requirements, c.flags...)
			tr.generate(t, "--only", "deepcopy,register")
			tr.writeDriver(t, false)
			d := startDriver(t, tr.dir)
			total := findings{}
			for _, p := range corpus(t) {
				t.Run(p.Name, func(t *testing.T) {
					found := findings{}
					for _, v := range p.versions {
						for _, object := range randomObjects(v) {
							a := d.do(t, p.Name, v, request{Object: object})
							if !assert.Empty(t, a.Error, "%s %v", v.GroupVersionKind, object) {
								break
							}
							have, err := objects.Decode(a.Object)
							require.NoError(t, err)
							found.compare(t, v, object, have, c.reasons)
						}
					}
					total.add(found)
				})
			}
			logCounts(t, total.reasons)
			t.Logf("%d of %d objects unchanged", total.same, total.objects)
		})
	}
}
