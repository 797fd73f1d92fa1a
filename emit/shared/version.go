package shared

import (
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
)

// lowest returns the lowest resource version of all sources: the store has all changes up to it. It is empty if a source has
// none. Resource versions of one resource are comparable, see KEP-5504.
func lowest(sources []*source) string {
	version := ""
	for _, s := range sources {
		switch {
		case s.joining:
		case s.version == "":
			return ""
		case version == "" || before(s.version, version):
			version = s.version
		}
	}
	return version
}

// before reports whether a resource version is older than another. It returns false if they are not comparable.
func before(version, other string) bool {
	v, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return false
	}
	o, err := strconv.ParseUint(other, 10, 64)
	return err == nil && v < o
}

// versionOf returns the resource version of an object, or "".
func versionOf(obj any) string {
	object, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	return object.GetResourceVersion()
}
