//go:build race

package main

import (
	"os"
	"strings"
)

// The go commands that tests start compile with the race detector too: with a cold cache, dependencies are not compiled twice.
func init() { _ = os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -race")) }
