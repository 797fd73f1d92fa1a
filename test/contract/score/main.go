// Score compares fake clientsets with the answers of an API server and prints the scores as Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/extended"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// The marks of the tables in a document.
const (
	scoreMark      harness.Mark = "contract scores"
	differenceMark harness.Mark = "contract differences"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // this is the main function
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("score", flag.ContinueOnError)
	definitions := flags.String("definitions", "../../examples/config/crd", "folder of the CustomResourceDefinitions")
	document := flags.String("document", "", "Markdown file to write the tables into, between marks such as <!-- contract scores -->")
	if err := flags.Parse(args); err != nil {
		return err
	}
	klog.SetLogger(logr.Discard())
	truth, err := contract.Truth()
	if err != nil {
		return err
	}
	crds, err := crdfake.Load(*definitions)
	if err != nil {
		return err
	}
	if err := extended.Definitions(crds...); err != nil {
		return err
	}
	var results []contract.Result
	for _, fake := range contract.Fakes(crds) {
		answers, err := contract.RunAll(ctx, contract.All(), fake.New)
		if err != nil {
			return fmt.Errorf("%s: %w", fake.Name, err)
		}
		results = append(results, contract.Result{Fake: fake, Answers: answers})
	}
	scores, differences := contract.Table(truth, results), contract.DifferenceTable(truth, results[len(results)-1])
	if *document == "" {
		_, err := fmt.Fprintf(out, "%s\n%s", scores, differences)
		return err
	}
	return write(*document, scores, differences)
}

// write updates the tables in a document. It returns an error if they have changed, so that CI fails if the document is stale.
func write(document, scores, differences string) error {
	content, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	text, err := scoreMark.Splice(string(content), scores)
	if err == nil {
		text, err = differenceMark.Splice(text, differences)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	if text == string(content) {
		return nil
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		return err
	}
	return fmt.Errorf("%s was out of date and has been updated: review and commit the new tables", document)
}
