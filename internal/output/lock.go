package output

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// retry is how long a run waits before it looks again whether another one is done.
const retry = 20 * time.Millisecond

// Lock keeps other runs from writing to the same output directory until unlock is called. If there is one at work it
// calls waiting, and waits for it. The lock lies outside of the tree, in the user's cache directory, or for want of
// that among temporary files; it goes with the process, however that ends.
func Lock(ctx context.Context, root, cacheDir string, waiting func()) (unlock func(), err error) {
	real, err := realPath(root)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, dir := range []string{cacheDir, filepath.Join(os.TempDir(), "informer-gen-lite")} {
		if dir == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			problems = append(problems, err)
			continue
		}
		lock := flock.New(keyed(dir, real) + ".lock")
		locked, err := lock.TryLock()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if !locked {
			waiting()
			if _, err := lock.TryLockContext(ctx, retry); err != nil {
				return nil, fmt.Errorf("while another run writes to %s: %w", root, err)
			}
		}
		return func() { _ = lock.Unlock() }, nil
	}
	return nil, fmt.Errorf("cannot lock %s against other runs: %w", root, errors.Join(problems...))
}

// keyed returns the name in a cache directory for what belongs to an output directory.
func keyed(dir, root string) string {
	key := sha256.Sum256([]byte(root))
	return filepath.Join(dir, filepath.Base(root)+"-"+hex.EncodeToString(key[:8]))
}
