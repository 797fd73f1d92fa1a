//doctest:module examples
// BLOCK
