package informergen

// FieldOf returns the field of Config that corresponds to a flag.
var FieldOf = field
