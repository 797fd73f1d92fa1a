// Package losses finds what checked-in files have that generated ones in their place would lack.
package losses
