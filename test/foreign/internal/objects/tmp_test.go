package objects

import (
	"encoding/json"
	"fmt"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/projects"
	"os"
	"strings"
	"testing"
	"time"
)

func TestAll(t *testing.T) {
	all, err := projects.Read("../../testdata/modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, crdn := 0, 0
	for _, p := range all {
		if f := os.Getenv("P"); f != "" && !strings.Contains(p.Name, f) {
			continue
		}
		files, err := p.Files()
		if err != nil {
			t.Error(err)
			continue
		}
		crds, err := projects.Definitions(files)
		if err != nil {
			t.Error(p.Name, err)
			continue
		}
		crdn += len(crds)
		start := time.Now()
		var bad []string
		made, tries := 0, 0
		for _, crd := range crds {
			vs, err := Versions(crd)
			if err != nil {
				t.Error(p.Name, crd.Name, err)
				continue
			}
			for _, v := range vs {
				n++
				m := NewMaker(v, 1)
				ok := 0
				for range 10 {
					tries++
					o := m.Make()
					if o != nil {
						ok++
						made++
						if os.Getenv("SHOW") != "" {
							b, _ := json.Marshal(o)
							fmt.Println(string(b))
						}
					}
				}
				if ok < 10 {
					bad = append(bad, fmt.Sprint(v.Kind, "/", v.Version, ":", ok))
				}
			}
		}
		t.Log(p.Name, len(crds), made, "of", tries, time.Since(start).Round(time.Millisecond), bad)
	}
	t.Log(n, "versions", crdn, "crds")
}
func TestWhy(t *testing.T) {
	all, _ := projects.Read("../../testdata/modules.txt")
	for _, p := range all {
		if p.Name != "openshift" && p.Name != "envoy-gateway" {
			continue
		}
		files, _ := p.Files()
		crds, _ := projects.Definitions(files)
		for _, crd := range crds {
			vs, _ := Versions(crd)
			for _, v := range vs {
				if !strings.Contains("ClusterCSIDriver MachineConfigNode MachineOSBuild MachineOSConfig PinnedImageSet ControllerConfig SecurityPolicy", v.Kind) {
					continue
				}
				m := NewMaker(v, 1)
				for range 8 {
					o := m.object(m.version.Schema, "", nil).(map[string]any)
					o["apiVersion"], o["kind"] = m.version.GroupVersion().String(), m.version.Kind
					o["metadata"] = m.metadata(0)
					ok := m.repair(o)
					_, errs := v.Stored(o)
					for _, e := range errs {
						fmt.Println(v.Kind, ok, e)
					}
				}
			}
		}
	}
}
