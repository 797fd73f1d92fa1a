// Package building compiles packages and shows how far that is.
package building

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
)

// Go runs go build in a directory, with flags and with packages, and shows on the context's line how many packages of all are compiled
// and about how long the rest takes. The error includes the compiler's errors.
func Go(ctx context.Context, dir string, flags, packages []string) error {
	line := progress.From(ctx)
	c := compilation{line: line}
	if line != nil {
		listed := slices.Concat([]string{"list", "-e", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, withoutOutput(flags), packages)
		stale, err := module.Go(ctx, dir, listed)
		if err != nil {
			return err
		}
		c.total = len(strings.Fields(stale))
	}
	c.start = time.Now()
	_, err := module.GoLines(ctx, dir, slices.Concat([]string{"build", "-v"}, flags, packages), c.compiled)
	return err
}

// withoutOutput returns the flags of go build that go list has, too.
func withoutOutput(flags []string) []string {
	if i := slices.Index(flags, "-o"); i >= 0 {
		return slices.Delete(slices.Clone(flags), i, i+2)
	}
	return flags
}

// compilation counts the packages of a go build.
type compilation struct {
	line        *progress.Line
	start       time.Time
	done, total int
}

// compiled counts a package, whose import path go build prints.
func (c *compilation) compiled(line string) {
	if strings.HasPrefix(line, "#") || strings.ContainsAny(line, " \t") || c.done >= c.total {
		return // an error
	}
	c.done++
	c.line.At(c.text(time.Since(c.start)))
}

// text describes the state after a time. The rest takes as long for each package as those before.
func (c *compilation) text(elapsed time.Duration) string {
	text := fmt.Sprintf("compiling: %d of %d packages", c.done, c.total)
	if elapsed < 5*time.Second {
		return text // too early to tell
	}
	left := elapsed / time.Duration(c.done) * time.Duration(c.total-c.done)
	if left < time.Minute {
		return text + ", less than a minute left"
	}
	return fmt.Sprintf("%s, about %d min left", text, int(left.Round(time.Minute).Minutes()))
}
