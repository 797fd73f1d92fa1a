// Package objects calls functions with random objects and describes what comes out.
//
// The source of this package becomes part of a program in the module of a user, which runs with the code before and after a change. So the
// package imports only the standard library, and both runs make the same objects.
package objects

import (
	"encoding/json"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
)

// Count is the number of objects for each function.
const Count = 100

// Function is a function to call.
type Function struct {
	// New returns pointers to empty values: the input and the output of the function. Out is nil if the function writes to in.
	New func() (in, out any)
	// Call calls the function with such pointers.
	Call func(in, out any) error
}

// Result has the effects of a function on all objects.
type Result struct {
	// Objects has a hash of the output for each object, or what happened instead: Failed or Panicked.
	Objects []string
	// Fields has a hash for each field, of all its values in the outputs.
	Fields map[string]uint64
	// Varies is true if an output depends on more than the input.
	Varies bool
}

const (
	// Failed stands for the output of functions that return an error.
	Failed = "error"
	// Panicked stands for the output of functions that panic.
	Panicked = "panic"
)

// Run calls the functions and writes the results as JSON.
func Run(w io.Writer, functions []Function) error {
	debug.SetPanicOnFault(true) // a pointer to nowhere must not end the program
	results := make([]Result, len(functions))
	for i, f := range functions {
		results[i] = f.result()
	}
	return json.NewEncoder(w).Encode(results)
}

// result calls the function twice for each object.
func (f Function) result() Result {
	r := Result{Fields: map[string]uint64{}}
	for seed := range uint64(Count) {
		values, failure := f.output(seed)
		again, failureAgain := f.output(seed)
		r.Varies = r.Varies || failure != failureAgain || !slices.Equal(values, again)
		object := failure
		if object == "" {
			sum := uint64(0)
			for _, v := range values {
				r.Fields[v.field] = hash(r.Fields[v.field]+seed, v.text)
				sum = hash(hash(sum, v.field), v.text)
			}
			object = strconv.FormatUint(sum, 16)
		}
		r.Objects = append(r.Objects, object)
	}
	return r
}

// output calls the function with the object of a seed. It returns the values in the output, or the failure.
func (f Function) output(seed uint64) (values []value, failure string) {
	in, out := f.New()
	fill(seed, in, out)
	defer func() {
		if recover() != nil {
			values, failure = nil, Panicked
		}
	}()
	if err := f.Call(in, out); err != nil {
		return nil, Failed
	}
	if out == nil {
		out = in
	}
	return dump(out), ""
}

// hash returns a hash of a text after those with another hash. It is the same in every process.
func hash(before uint64, text string) uint64 {
	h := before ^ uint64(len(text)+1)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211 // as FNV-1a
	}
	return h
}
