// Package option has the options of outputs: each is a row of Options. Commands register Values, programs fill them in, and package config
// reads them from the configuration file.
package option

import (
	"errors"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Option is one setting of an output. Its row in Options is the only description of it: flags, keys of the configuration file,
// completion, fields of the library's Config and docs/flags.md follow from it.
type Option struct {
	// Flag is the name of the flag, without dashes, and of the key in the configuration file. FlagOnly options have no key.
	Flag     string
	FlagOnly bool
	// Field is the name of the field in Values and in the library's Config.
	Field string
	Kind  Kind
	// Default is the default. If it depends on something else, Default is empty and Unset describes it.
	Default, Unset string
	// Values are the allowed values of a Choice or Choices.
	Values []string
	// Extensions are the extensions of a File, without dots. An empty list allows all names.
	Extensions []string
	// Help describes the option in --help and, unless there is a Doc, in docs/flags.md. Doc is Markdown.
	Help, Doc string
	// Since is the first release with the option; empty for v0.1.0, the first one of all.
	Since string
}

// Kind is the kind of an option's value, as docs/flags.md names it.
type Kind string

// The kinds of values. Paths are relative to where they are set: to the working directory or to the configuration file.
const (
	String Kind = "text"
	Switch Kind = "true or false"
	// Decision is a Switch that may be left undecided.
	Decision   Kind = "true, false or neither"
	ImportPath Kind = "import path"
	Directory  Kind = "directory"
	File       Kind = "file"
	// Folder is a slash-separated directory relative to the output directory.
	Folder  Kind = "directory in the output"
	Files   Kind = "files or directories"
	Choice  Kind = "one of"
	Choices Kind = "list of"
	List    Kind = "list"
	// Generators is a list of generators. Callers know their names.
	Generators Kind = "list of the generators"
)

// Values are the values of all options.
type Values struct {
	ConfigFile                                    string
	OutputDir, OutputPkg, GoHeaderFile, CRDDir    string
	CRDOutputDir, RBACOutputDir, RBACRoleName     string
	ClientsetDir, ListersDir, InformersDir        string
	ControllersDir, ApplyConfigurationDir         string
	ApplyConfigurationPackage                     string
	ClientGo, Folders, ListerErrors               string
	CRDDescriptions                               string
	PrefersProtobuf, GVKConstants                 bool
	Runtime, Schema                               *bool
	Strict, Adopt, Force, Prune                   bool
	ExternalApplyConfigurations, PluralExceptions []string
	GroupGoNames, Listers, Informers, CRDOptions  []string
	RBACNamespaces, RBACPaths, RBACOptions        []string
	ManifestsDeployments                          []string
	Kinds, Only, Skip, BuildTags, AllowedChanges  []string
	AcceptLoss, WarningsOff                       []string
	BasePeers, ExtraPeers                         []string
	GeneratedBuildTag                             string
	SkipUnsafe                                    bool
}

// Lookup returns the option with a flag, or nil.
func Lookup(flag string) *Option {
	if i := slices.IndexFunc(Options, func(o Option) bool { return o.Flag == flag }); i >= 0 {
		return &Options[i]
	}
	return nil
}

// Keyed returns the option with a key, or nil.
func Keyed(key string) *Option {
	if o := Lookup(key); o != nil && !o.FlagOnly {
		return o
	}
	return nil
}

// IsPrefix reports whether keys begin with a word, as rbac-namespaces and others do with rbac.
func IsPrefix(word string) bool {
	return slices.ContainsFunc(Options, func(o Option) bool { return !o.FlagOnly && strings.HasPrefix(o.Flag, word+"-") })
}

// Usage returns the text for --help. Generators are the names of all generators.
func (o Option) Usage(generators []string) string {
	switch {
	case o.Unset != "":
		return o.Help + " (default: " + o.Unset + ")"
	case o.Kind == Generators && len(generators) > 0:
		return o.Help + ": " + strings.Join(generators, ", ")
	}
	return o.Help
}

// Default returns the values of an empty command line.
func Default() (v Values) {
	v.Register(pflag.NewFlagSet("", pflag.ContinueOnError), nil)
	return v
}

// Register sets the values to their defaults and defines their flags. The generators are the names that the help lists.
func (v *Values) Register(flags *pflag.FlagSet, generators []string) {
	flags.SortFlags = false
	for _, o := range Options {
		switch value := v.Of(o).Addr().Interface().(type) {
		case *string:
			flags.StringVar(value, o.Flag, o.Default, o.Usage(generators))
		case *bool:
			flags.BoolVar(value, o.Flag, false, o.Usage(generators))
		case *[]string:
			flags.StringSliceVar(value, o.Flag, nil, o.Usage(generators))
		case **bool:
			flags.BoolFunc(o.Flag, o.Usage(generators), func(text string) error {
				decided, err := strconv.ParseBool(text)
				*value = &decided
				return err
			})
		}
	}
}

// Of returns the value of an option, which can be set.
func (v *Values) Of(o Option) reflect.Value { return reflect.ValueOf(v).Elem().FieldByName(o.Field) }

// Resolve makes the value of an option absolute if it is a path.
func (o Option) Resolve(dir, value string) string {
	if o.Kind != Directory && o.Kind != File || value == "" {
		return value
	}
	return diag.Absolute(dir, value)
}

// FileName is the file at the root of a module that carries the flags.
const FileName = ".informer-gen.yaml"

// The keys of the configuration file that are not flags.
const (
	PackagesKey = "packages"
	OutputsKey  = "outputs"
)

// Question begins values that the user still has to fill in: migrate could not determine them. The rest of the value says where and why.
const Question = "?"

// Edit is a configuration file with more keys.
type Edit struct {
	// Name is the absolute name of the file, Text its new text, and Keys the added keys; none if the file has them all.
	Name string
	Text []byte
	Keys []string
	// Lacking are the Deployments that the file does not name although it names others.
	Lacking []string
}

// ErrFlowStyle is the error for configuration files to which keys can only be added by hand.
var ErrFlowStyle = errors.New("the top level is not a block of keys")

// Keys returns the keys of an output in order: packages, and every option that is not about the file.
func Keys() []string {
	keyed := lists.Filter(Options, func(o Option) bool { return !o.FlagOnly })
	return append([]string{PackagesKey}, lists.Map(keyed, func(o Option) string { return o.Flag })...)
}

// DefaultOf returns the default of a key, or "" if it has none.
func DefaultOf(key string) string {
	if o := Keyed(key); o != nil {
		return o.Default
	}
	return ""
}

// FlowYAML formats a value of the configuration on one line.
func FlowYAML(value any) string {
	var node yaml.Node
	_ = node.Encode(value) // values of options can be encoded
	node.Style |= yaml.FlowStyle
	text, _ := yaml.Marshal(&node)
	return strings.TrimSpace(string(text))
}

// ImportsKey has the sources of imported types.
const ImportsKey = "imports"

// Import is an entry of imports: a source of types of other projects.
type Import struct {
	// From is the absolute name of a file or directory with CustomResourceDefinitions, Into the name of the directory for the packages.
	From, Into string
	// SHA256 is the checksum of the source that the types are from, in hexadecimal digits.
	SHA256 string
	// Note says in free text where the source is from. Nothing reads it.
	Note string
	// Groups are the groups with types; none for all.
	Groups []string
	// Omit are the names of definitions without types, such as parcels.depot.example.
	Omit []string
	// Versions are the versions with types; none for the versions that servers serve.
	Versions []string
	// Names has names of types by the names that they get otherwise.
	Names map[string]string
	// Markers has lines for the comments of types by their names, such as +informergen:controller.
	Markers map[string][]string
	// Plain is true if no type of Kubernetes replaces an equal structure.
	Plain bool
	// Pos is the position of the entry in the configuration file.
	Pos token.Position

	// ChecksumAt is the position of SHA256.
	ChecksumAt token.Position
}

// The keys of an entry of imports.
const (
	FromKey      = "from"
	IntoKey      = "into"
	SHA256Key    = "sha256"
	NoteKey      = "note"
	GroupsKey    = "groups"
	OmitKey      = "omit"
	VersionsKey  = "versions"
	NamesKey     = "names"
	RecognizeKey = "recognize"
	// MarkersKey adds markers to imported types.
	MarkersKey = "markers"
	// ClusterKey was written for sources that were read from a cluster. It is read as a note.
	ClusterKey = "cluster"
)

// IsURL reports whether a source is a URL, which import does not read.
func IsURL(from string) bool { return strings.Contains(from, "://") }

// DownloadHint says how to import from a URL.
func DownloadHint(url string) string {
	return "download it first: curl -fsSL " + url + " | informer-gen-lite import -"
}

// Replaces reports whether an entry takes the place of another: it has the same source and directory.
func (i Import) Replaces(other Import) bool { return i.From == other.From && i.Into == other.Into }
