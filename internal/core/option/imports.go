package option

import (
	"go/token"
	"strings"
)

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

// DownloadHint says how to import what is at a URL.
func DownloadHint(url string) string {
	return "download it first: curl -fsSL " + url + " | informer-gen-lite import -"
}

// Replaces reports whether an entry takes the place of another: it has the same source and directory.
func (i Import) Replaces(other Import) bool { return i.From == other.From && i.Into == other.Into }
