// Package generate runs both sides of the comparison on the same API packages: upstream's three generators, and ours.
package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// Input says from which API packages clients are generated, and with which options.
type Input struct {
	// Patterns are package patterns as the go command knows them.
	Patterns []string
	// ApplyConfigurations is the package of the apply configurations, empty for clients without Apply methods.
	ApplyConfigurations string
	// SharedTypes, for us only, are packages without kinds whose types get apply configurations as well.
	SharedTypes []string
	// ExternalApplyConfigurations say where types of other packages have theirs, as path.Type:package.
	ExternalApplyConfigurations []string
	// PluralExceptions are Kind:Plural pairs.
	PluralExceptions []string
	// PrefersProtobuf makes protobuf the default of the clients.
	PrefersProtobuf bool
	// ClientGo, for us only, is the release of client-go to make the clients for, if that is not the one of the module.
	ClientGo string
	// ClientsetOrder, for upstream only, gives the clientset other packages than those of the patterns, or the same in
	// another order.
	ClientsetOrder []string
}

// Output says where the clients go. All folders are slash-separated and relative to Dir.
type Output struct {
	// Dir is the root directory of the module that gets the clients; the generators run in it.
	Dir string
	// Folder and Package are the output directory and its import path.
	Folder, Package string
	// Clientset, Listers and Informers are folders below the output directory. Upstream can only do without a
	// folder "externalversions" for the informers, or add one of that name. Without a folder for listers or informers, ours
	// makes none.
	Clientset, Listers, Informers string
	// ApplyConfigurations is the folder to generate the apply configurations into; empty if they are there.
	ApplyConfigurations string
	// Header is a file with a licence comment, or empty.
	Header string
}

// apiPackage is a package with at least one type that wants a client.
type apiPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
}

var (
	// wantsClient finds the tag in any comment, also in one that gofmt would write differently.
	wantsClient = regexp.MustCompile(`(?m)^\s*(//|/\*|\*)?\s*\+genclient\s*(\*/)?$`)
	noClientset = regexp.MustCompile(`(?m)^\s*//\s*\+k8s:client-gen=false$`)
)

// packages lists the packages of an input that hold the tag.
func (in Input) packages(dir string) ([]apiPackage, error) {
	list, err := scratch.Run(dir, "go", append([]string{"list", "-json=ImportPath,Dir,GoFiles"}, in.Patterns...)...)
	if err != nil {
		return nil, err
	}
	var found []apiPackage
	for decoder := json.NewDecoder(strings.NewReader(list)); ; {
		var p apiPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
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
