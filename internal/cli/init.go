package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// toolPath is the import path of this program.
const toolPath = "github.com/informer-gen-lite/informer-gen-lite/cmd/informer-gen-lite"

func (a app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented " + configName + " for this module, and show its go:generate line",
		Long: `Init looks through the module of the working directory for types with +genclient and for clients generated before, and
writes a ` + configName + ` to the module's root that fits, with every other key as a comment. It never
overwrites one.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context()) },
	}
}

func (a app) init(ctx context.Context) error {
	root, _, err := owningModule(a.dir)
	if err != nil {
		return fmt.Errorf("no go.mod in %s or above: %s belongs beside one", a.dir, configName)
	}
	proposed, err := propose(ctx, root)
	if err != nil {
		return err
	}
	name := filepath.Join(root, configName)
	shown := diag.Relative(a.dir, name)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: remove it first to have a new one", shown)
	} else if err != nil {
		return err
	}
	_, err = file.WriteString(configText(proposed))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s written\n", shown)
	if len(proposed.packages) == 0 {
		fmt.Fprintln(a.stdout, "There is no type with +genclient yet: set packages when there is.")
	}
	a.printGoGenerate(root, proposed.apiRoot)
	return nil
}

// printGoGenerate shows the line that makes go generate run the program, where it belongs, and what it needs.
func (a app) printGoGenerate(root, apiRoot string) {
	fmt.Fprintf(a.stdout, "\nFor go generate ./... put this line into %s:\n\n\t//go:generate go tool %s\n",
		diag.Relative(a.dir, filepath.Join(root, filepath.FromSlash(apiRoot), "doc.go")), path.Base(toolPath))
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err == nil {
		if mod, err := modfile.Parse("go.mod", text, nil); err == nil &&
			slices.ContainsFunc(mod.Tool, func(t *modfile.Tool) bool { return t.Path == toolPath }) {
			return
		}
	}
	fmt.Fprintf(a.stdout, "\nand, once, the program into go.mod:\n\n\tgo get -tool %s@latest\n", toolPath)
}

// proposal is what a module's configuration should say.
type proposal struct {
	packages  []string
	outputDir string
	// apiRoot is the directory that holds all API packages, relative to the module's root.
	apiRoot string
}

// propose looks through the module. Mistakes in its API types are left for generate to report.
func propose(ctx context.Context, root string) (proposal, error) {
	p := proposal{outputDir: defaultOutput, apiRoot: "."}
	loaded, _, err := load.Packages(ctx, load.Config{Dir: root, Patterns: []string{"./..."}})
	if err != nil {
		return p, err
	}
	relative := map[string]string{}
	var outputs []string
	for _, pkg := range loaded.Packages {
		rel, err := filepath.Rel(root, pkg.Dir)
		if err != nil {
			return p, err
		}
		relative[pkg.Path] = filepath.ToSlash(rel)
		if output, ok := strings.CutSuffix("/"+relative[pkg.Path], "/clientset/versioned"); ok {
			outputs = append(outputs, path.Clean("./"+output))
		}
	}
	if len(outputs) == 1 {
		p.outputDir = outputs[0]
	}
	api, _ := resolve.API(ctx, loaded, resolve.Options{})
	var dirs []string
	for _, version := range api.API.Versions() {
		dirs = append(dirs, relative[version.Source.Path])
	}
	if len(dirs) > 0 {
		p.apiRoot = apiRoot(dirs)
		p.packages = []string{"./" + path.Join(p.apiRoot, "...")}
	}
	return p, nil
}

var versionFolder = regexp.MustCompile(`^v\d`)

// apiRoot returns the directory below which all API packages lie, with room for their next versions and groups.
func apiRoot(dirs []string) string {
	var root []string
	for i, dir := range dirs {
		if versionFolder.MatchString(path.Base(dir)) {
			dir = path.Dir(dir)
		}
		if parent := path.Dir(dir); path.Base(parent) == "apis" || path.Base(parent) == "api" {
			dir = parent
		}
		elements := strings.Split(dir, "/")
		if i == 0 {
			root = elements
		}
		common := 0
		for common < min(len(root), len(elements)) && root[common] == elements[common] {
			common++
		}
		root = root[:common]
	}
	return path.Clean(path.Join(root...))
}

const configHead = `# Configuration of informer-gen-lite. Every flag of the command can stand here; the command line wins.
# Paths and packages are relative to this file. Lines that begin with # and no space show defaults.

# Packages to generate for, as patterns of the go command.
`

const configTail = `
# Where there are several API roots, each has its output. What stands above is the default for all of them.
#outputs: [{packages: [./apis/...], output-dir: pkg/generated}]
`

// configText writes the file: what is proposed, and all other keys with their defaults as comments.
func configText(p proposal) string {
	var b strings.Builder
	b.WriteString(configHead)
	writeSetting(&b, packagesKey, []string{"./..."}, p.packages, len(p.packages) > 0)
	configFlags().VisitAll(func(flag *pflag.Flag) {
		if configFlag(flag.Name) == nil {
			return
		}
		_, usage := pflag.UnquoteUsage(flag)
		usage = strings.TrimSuffix(usage, ",…") // lists have their own form here
		fmt.Fprintf(&b, "\n# %s.\n", strings.ToUpper(usage[:1])+usage[1:])
		var value any = flag.DefValue
		switch v := flag.Value.(type) {
		case pflag.SliceValue:
			value = v.GetSlice()
		default:
			if v.Type() == "bool" {
				value = flag.DefValue == "true"
			}
		}
		writeSetting(&b, flag.Name, value, p.outputDir, flag.Name == "output-dir")
	})
	b.WriteString(configTail)
	return b.String()
}

// writeSetting writes a key with its default as a comment, or with the value that was chosen.
func writeSetting(b *strings.Builder, key string, byDefault, chosen any, isChosen bool) {
	value, mark := byDefault, "#"
	if isChosen {
		value, mark = chosen, ""
	}
	fmt.Fprintf(b, "%s%s: %s\n", mark, key, flowYAML(value))
}

// flowYAML writes a value on one line.
func flowYAML(value any) string {
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	node.Style |= yaml.FlowStyle
	text, err := yaml.Marshal(&node)
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(string(text))
}
