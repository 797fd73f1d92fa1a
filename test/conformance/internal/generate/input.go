// Package generate runs both sides of the comparison on the same API packages: upstream's generators, and ours.
package generate

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// Input describes the API packages and the options for generating clients.
type Input struct {
	// Patterns are package patterns of the go command.
	Patterns []string
	// ApplyConfigurations is the package of the apply configurations; empty for clients without Apply methods.
	ApplyConfigurations string
	// SharedTypes are packages without kinds whose types get apply configurations too.
	SharedTypes []string
	// ExternalApplyConfigurations are the packages of apply configurations for types of other packages, as path.Type:package.
	ExternalApplyConfigurations []string
	// PluralExceptions are Kind:Plural pairs.
	PluralExceptions []string
	// NoSchema, for us only, omits the schema of the apply configurations, which upstream only writes with further flags.
	NoSchema bool
	// GroupGoNames, for us only, are group:Name pairs. Upstream reads names only from +groupGoName markers and package paths.
	GroupGoNames []string
	// PrefersProtobuf makes protobuf the default of the clients.
	PrefersProtobuf bool
	// ClientGo, for us only, is the release of client-go to generate for, if it is not that of the module.
	ClientGo string
	// ClientsetOrder, for upstream only, overrides the packages of the clientset, or their order.
	ClientsetOrder []string
}

// Output describes the location of the clients. All folders are slash-separated and relative to Dir.
type Output struct {
	// Dir is the root directory of the module that gets the clients; the generators run in it.
	Dir string
	// Folder and Package are the output directory and its import path.
	Folder, Package string
	// Clientset, Listers and Informers are folders below the output directory. For informers, upstream can only omit or add a
	// folder "externalversions". Without a folder for listers or informers, our program generates none.
	Clientset, Listers, Informers string
	// ApplyConfigurations is the folder for generated apply configurations; empty if they exist already.
	ApplyConfigurations string
	// Header is a file with a license comment, or empty.
	Header string
}

// apiPackage is a package with at least one type with a client.
type apiPackage scratch.Package

var (
	// wantsClient finds the marker in any comment, even if it is not gofmt'ed.
	wantsClient = regexp.MustCompile(`(?m)^\s*(//|/\*|\*)?\s*\+genclient\s*(\*/)?$`)
	noClientset = regexp.MustCompile(`(?m)^\s*//\s*\+k8s:client-gen=false$`)
)

// packages returns the packages of an input with the marker.
func (in Input) packages(dir string) ([]apiPackage, error) {
	all, err := scratch.ListPackages(dir, in.Patterns...)
	if err != nil {
		return nil, err
	}
	var found []apiPackage
	for _, listed := range all {
		p := apiPackage(listed)
		tagged, err := p.contains(wantsClient)
		if err != nil {
			return nil, err
		}
		if tagged {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no +genclient tag in %s", strings.Join(in.Patterns, " "))
	}
	return found, nil
}

// contains reports whether any of the package's files matches.
func (p apiPackage) contains(pattern *regexp.Regexp) (bool, error) {
	for _, name := range p.GoFiles {
		content, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return false, err
		}
		if pattern.Match(content) {
			return true, nil
		}
	}
	return false, nil
}
