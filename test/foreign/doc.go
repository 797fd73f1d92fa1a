// Package foreign tests the import of CustomResourceDefinitions of public projects.
package foreign
