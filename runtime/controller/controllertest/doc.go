// Package controllertest tests reconcilers on fake clientsets, one reconcile at a time. It is for test files only.
package controllertest
