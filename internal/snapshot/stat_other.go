//go:build !linux && !darwin

package snapshot

import "io/fs"

// stat is not supported: there are no change times.
func stat(fs.FileInfo) (File, bool) { return File{}, false }
