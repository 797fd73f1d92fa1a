// Package lists has what package slices lacks.
package lists

// Map returns the results of a function for all elements; nil for no elements.
func Map[E, T any](list []E, f func(E) T) []T {
	if len(list) == 0 {
		return nil
	}
	all := make([]T, len(list))
	for i, element := range list {
		all[i] = f(element)
	}
	return all
}

// FlatMap returns the elements of the lists that a function returns for each element; nil for none.
func FlatMap[E, T any, L ~[]T](list []E, f func(E) L) (all L) {
	for _, element := range list {
		all = append(all, f(element)...)
	}
	return all
}

// Filter returns the elements that a function wants; nil for none.
func Filter[E any](list []E, wanted func(E) bool) (all []E) {
	for _, element := range list {
		if wanted(element) {
			all = append(all, element)
		}
	}
	return all
}
