package run

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// Wing is a product alongside the generators. All of its fields may be nil.
type Wing struct {
	// Commands are commands of their own.
	Commands func() []Command
	// Options returns the problems with the options of the wing, for packages in a directory.
	Options func(dir string, values option.Values) option.FlagErrors
	// Before is called before the packages of all outputs are loaded. If the call writes, Before writes, too. Otherwise, it returns the
	// differences that it would write, and the number of files that are up to date.
	Before func(ctx context.Context, call *Call, all []Options, writes bool) (differences []Difference, unchanged int, err error)
	// Watched returns files and directories of manifests that Before reads.
	Watched func(call *Call) ([]string, error)
	// Begin is called when the packages of an output are loaded, before its API is resolved. It begins work that takes long, and returns nil
	// if the output needs no such work.
	Begin func(ctx context.Context, api *API) Work
	// VerifyFlags adds flags to verify, and Verify checks what they ask for, with the runs of all outputs.
	VerifyFlags func(flags *pflag.FlagSet)
	Verify      func(ctx context.Context, call *Call, runs []Run) error
}

// House has the parts of a program: its products and its wings.
type House struct {
	Products product.Table
	Wings    []Wing
}

// Work runs concurrently with the stages of a run.
type Work interface {
	// Resolved is called when the API is resolved. It returns diagnostics.
	Resolved(ctx context.Context) diag.List
	// Files returns files, with paths relative to the output directory, and diagnostics. It is called last.
	Files(ctx context.Context) ([]render.File, diag.List, error)
}

// Command is a command of a wing.
type Command struct {
	// Use, Short and Long are the texts of its help.
	Use, Short, Long string
	// Least and Most are the numbers of its arguments; Most is negative if there is no limit.
	Least, Most int
	// Generates is true if the command takes the flags of generate. Config describes its flag for the configuration file, which need not exist
	// yet; "" for none.
	Generates bool
	Config    string
	// Flags adds other flags, and Excludes are pairs of flags that exclude each other.
	Flags    func(flags *pflag.FlagSet)
	Excludes [][2]string
	// Run runs the command.
	Run func(ctx context.Context, call *Call) error
}

// Call is one call of a command.
type Call struct {
	Front
	// Products are all products, and Release is the release of this program; "" for a development build.
	Products product.Table
	Release  string
	// Dir is the base of relative paths, and Args are the arguments.
	Dir  string
	Args []string
	// Flags are the parsed flags. Config is the command line together with the configuration file.
	Flags  *pflag.FlagSet
	Config Configuration
	Stdin  io.Reader
	// Stdout is for output that programs read, and Prose for sentences.
	Stdout, Prose io.Writer
}

// Configuration is a command line together with the configuration file that it selects.
type Configuration interface {
	// Place returns the base of relative paths, and the root of the module; "" outside of modules.
	Place() (dir, module string)
	// File returns the absolute name of the configuration file, or "" without a file.
	File() (string, error)
	// Options returns the validated options of all outputs.
	Options() ([]Options, error)
	// Imports returns the entries of imports.
	Imports() ([]option.Import, error)
	// WithImports returns the file with entries of imports, and WithManifests with directories of manifests and an operator.
	WithImports(entries []option.Import) (option.Edit, error)
	WithManifests(directories map[string]string, operator string) (option.Edit, error)
	// At returns the same for other directories.
	At(dir, module string) Configuration
}

// ConfigFile is a configuration file with an absolute name.
type ConfigFile struct {
	Name string
	Text []byte
}

// Front has the functions of the front for wings.
type Front struct {
	// Parse returns the options in the texts of configuration files, which need not exist.
	Parse func(adopt bool, files ...ConfigFile) ([]Options, error)
	// Read reads the API of an output even if it has problems, which are the diagnostics. Resolve returns them as an error.
	Read    func(ctx context.Context, opts Options) (*API, diag.List, error)
	Resolve func(ctx context.Context, opts Options) (*API, error)
	// Prepare prepares the runs of outputs, and Apply writes them.
	Prepare func(ctx context.Context, all []Options, writes bool) ([]Run, error)
	Apply   func(ctx context.Context, runs []Run) error
	// Report reports diagnostics with the result of the command, and Warn at once. Preparing reports nothing.
	Report, Warn func(diags diag.List)
	// Flush prints what was reported.
	Flush func()
	// Waiting says that the command waits for another run that is writing to the module in a directory.
	Waiting func(dir string)
}
