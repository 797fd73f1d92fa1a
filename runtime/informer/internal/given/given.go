// Package given remembers which options a caller has given, to say which of them contradict each other.
package given

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Option is an option, as written by the caller, and the setting that it sets. Options with functions have no parentheses: functions
// cannot be compared.
type Option struct{ Setting, Text string }

// Comparable reports whether two options with the same text are the same.
func (o Option) Comparable() bool { return strings.Contains(o.Text, "(") }

// Options are in the order in which they were given.
type Options []Option

// Add adds an option. It returns false if an earlier option has the same setting, and an error if they contradict each other.
func (o *Options) Add(option Option) (first bool, err error) {
	for _, before := range *o {
		switch {
		case before.Setting != option.Setting:
			continue
		case before.Text != option.Text || !before.Comparable():
			return false, fmt.Errorf("%s contradicts %s", option.Text, before.Text)
		}
		return false, nil
	}
	*o = append(*o, option)
	return true, nil
}

// Of returns the option that was given for a setting, or "".
func (o *Options) Of(setting string) string {
	for _, option := range *o {
		if option.Setting == setting {
			return option.Text
		}
	}
	return ""
}

// CheckNamespaces returns an error if namespaces overlap or are missing.
func CheckNamespaces(namespaces []string) error {
	if len(namespaces) == 0 {
		return errors.New("no namespace: pass at least one, or metav1.NamespaceAll for all")
	}
	for n, namespace := range namespaces {
		switch {
		case namespace == metav1.NamespaceAll && len(namespaces) > 1:
			return errors.New("metav1.NamespaceAll cannot be combined with other namespaces")
		case slices.Contains(namespaces[:n], namespace):
			return fmt.Errorf("duplicate namespace %q", namespace)
		}
	}
	return nil
}
