package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

const (
	// probeTimeout ends a probe that hangs.
	probeTimeout = 2 * time.Minute
	// serverPatience is how long a probe waits for an event of a server before it records "timeout".
	serverPatience = 10 * time.Second
	// fakePatience is the same for fakes, which answer from memory.
	fakePatience = 5 * time.Second
)

// Probe asks a clientset one question.
type Probe struct {
	// Name is the group and a short name: "create/duplicate".
	Name string
	// NeedsCRD reports whether the answer depends on facts that only a CustomResourceDefinition has: defaults, pruning,
	// validation.
	NeedsCRD bool
	// Sharded reports whether the question is for a server with the feature gate ShardedListAndWatch. The others are for one without.
	Sharded bool
	// Run sends the requests and records the answers.
	Run func(p *P)
}

// Group returns the part of the name before the slash.
func (p Probe) Group() string {
	group, _, _ := strings.Cut(p.Name, "/")
	return group
}

// All returns the probes, group by group.
func All() []Probe {
	return slices.Concat(
		createProbes, createMetadataProbes, createSchemaProbes,
		updateProbes, updateMoreProbes, statusProbes,
		deleteProbes, deleteCollectionProbes,
		getProbes, listProbes, pageProbes, watchProbes, watchMoreProbes,
		patchProbes, patchMoreProbes, applyProbes, applyMoreProbes, scaleProbes, scaleMoreProbes,
		versionProbes, discoveryProbes, namespaceProbes, concurrencyProbes,
		defaultProbes, schemaProbes, versionApplyProbes, strictProbes, numberProbes, definitionProbes, untypedProbes,
		shardProbes, shardedProbes,
	)
}

// Run runs a probe in its own namespaces and returns its observations, one per line. A panic is an observation too.
func Run(ctx context.Context, client versioned.Interface, probe Probe) string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	p := newP(ctx, client)
	if _, ok := client.(testing.FakeClient); ok {
		p.patience = fakePatience
	}
	done := make(chan struct{})
	// The probe runs in a separate goroutine, because it may end with runtime.Goexit.
	go func() {
		defer close(done)
		defer p.stop()
		defer func() {
			if r := recover(); r != nil {
				p.printf("panic: %s", firstLine(fmt.Sprint(r)))
			}
		}()
		probe.Run(p)
	}()
	<-done
	return p.masked()
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// group prefixes the names of probes with the name of the group.
func group(name string, probes ...Probe) []Probe {
	for i := range probes {
		probes[i].Name = name + "/" + probes[i].Name
	}
	return probes
}

func probe(name string, run func(p *P)) Probe { return Probe{Name: name, Run: run} }

func needsCRD(name string, run func(p *P)) Probe { return Probe{Name: name, NeedsCRD: true, Run: run} }

// schemaBased marks a probe that needs a CustomResourceDefinition.
func schemaBased(p Probe) Probe {
	p.NeedsCRD = true
	return p
}
