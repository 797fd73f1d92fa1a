//go:build race

package e2e

func init() { raced = true }
