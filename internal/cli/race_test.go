//go:build race

package cli

// Cases share the code that runs concurrently, and TestTemplatesForTargets uses all templates in the test's process.
func init() { inProcessStep = 8 }
