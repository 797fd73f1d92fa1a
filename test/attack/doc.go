// Package attack stress-tests the program: with mutants of API types, with input of unusual size and shape, in unusual places,
// and by killing it at system calls. Flags set the number of cases; make attack runs all of them.
package attack
