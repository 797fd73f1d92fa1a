package informergen

// Field returns the field of Config that corresponds to a flag.
var Field = field
