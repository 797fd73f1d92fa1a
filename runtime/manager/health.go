package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// check is a check of the user.
type check struct {
	name string
	run  func(context.Context) error
}

// WithHealthCheck adds a check to /healthz, which fails with the name and the error of the check. The kubelet then restarts the process:
// only check for faults that a restart mends. The context is done when the request ends. A check may run several times at once.
func WithHealthCheck(name string, run func(context.Context) error) Option {
	return func(s *settings) { s.health = append(s.health, check{name, run}) }
}

// WithReadinessCheck adds a check to /readyz, like [WithHealthCheck]. While it fails, services send the process no requests, and rollouts
// wait. Controllers reconcile in the meantime.
func WithReadinessCheck(name string, run func(context.Context) error) Option {
	return func(s *settings) { s.readiness = append(s.readiness, check{name, run}) }
}

// failures runs checks, and returns their errors.
func failures(ctx context.Context, checks []check) (errs []error) {
	for _, c := range checks {
		if err := c.run(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errs
}

// checkNames returns an error for checks without a name, or with the name of another one.
func checkNames(checks []check) error {
	var names []string
	for _, c := range checks {
		if strings.TrimSpace(c.name) == "" || c.run == nil {
			return fmt.Errorf("a check needs a name and a function: %q", c.name)
		}
		if slices.Contains(names, c.name) {
			return fmt.Errorf("two checks have the name %q", c.name)
		}
		names = append(names, c.name)
	}
	return nil
}
