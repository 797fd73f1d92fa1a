package informer

// WithFields returns a source that knows the fields of its objects. A manager of package manager compares them with the definition of the
// kind in the cluster, and warns if the API server would remove some. Generated code passes them, in a format that may change.
func (s Source[T]) WithFields(fields string) Source[T] {
	s.fields = fields
	return s
}

// Fields returns the fields of [Source.WithFields], or "".
func (s Source[T]) Fields() string { return s.fields }
