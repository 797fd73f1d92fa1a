// Package attack holds tests that attack the program: with mutants of API types, with input of unusual size and shape, in
// unusual places, and by killing it at its system calls. The flags set how much of each; make attack asks for all of it.
package attack
