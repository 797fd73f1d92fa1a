// Package fake provides a fake clientset for tests, which serves requests from memory.
package fake
