//go:build race

package cli

func init() { raceFlag = "-race" }
