package informergen_test

import (
	"context"
	"fmt"
	"log"
	"path"
	"strings"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

// Generate works in memory. Call Write on the result to write the files.
func ExampleGenerate() {
	result, err := informergen.Generate(context.Background(), informergen.Config{
		Dir:       "examples",
		Packages:  []string{"./apis/edge/..."},
		OutputDir: "edge",
		Only:      []string{"listers"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range result.Files {
		fmt.Println(file.Path)
	}
	// Output:
	// listers/edge/v1alpha1/expansion_generated.go
	// listers/edge/v1alpha1/relay.go
	// listers/edge/v1alpha1/trafficclass.go
	// listers/edge/v1alpha1/tunnel.go
}

// In CI, Verify reports whether the checked-in files are up to date.
func ExampleVerify() {
	changes, err := informergen.Verify(context.Background(), informergen.Config{Dir: "examples/kubebuilder"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(changes), "changes")
	// Output:
	// 0 changes
}

// index is a generator of a list of all kinds.
type index struct{}

func (index) Name() string { return "index" }

func (index) Dir() string { return "index" }

func (index) Generate(api *informergen.API) ([]informergen.File, error) {
	var text strings.Builder
	for _, group := range api.Groups {
		for _, version := range group.Versions {
			for _, kind := range version.Kinds {
				fmt.Fprintln(&text, path.Join(group.Name, version.Name), kind.Name)
			}
		}
	}
	return []informergen.File{{Path: "kinds.txt", Content: []byte(text.String())}}, nil
}

// A custom Generator returns files for an API.
func ExampleGenerator() {
	result, err := informergen.Generate(context.Background(), informergen.Config{
		Dir:        "examples",
		Packages:   []string{"./apis/edge/..."},
		OutputDir:  "generated",
		Only:       []string{"index"},
		Generators: []informergen.Generator{index{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s:\n%s", result.Files[0].Path, result.Files[0].Content)
	// Output:
	// index/kinds.txt:
	// edge-network.example.com/v1alpha1 Relay
	// edge-network.example.com/v1alpha1 TrafficClass
	// edge-network.example.com/v1alpha1 Tunnel
}
