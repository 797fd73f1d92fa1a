//go:build !unix

package measure

import "os"

// peak returns 0: it is not available on this system.
func peak(*os.ProcessState) int64 { return 0 }
