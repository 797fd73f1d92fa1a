// Package fake provides an in-memory clientset for tests.
package fake
