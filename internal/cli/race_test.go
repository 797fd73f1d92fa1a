//go:build race

package cli

func init() {
	// Cases share the code that runs concurrently, and TestTemplatesForTargets uses all templates in the test's process.
	inProcessStep = 8
	// Other tests compile and link at the same time.
	nameStep = 5
}
