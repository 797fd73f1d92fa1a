package queue

// turns is a lane whose namespaces take turns: an item waits for at most one item of each other namespace, and for the earlier items of
// its own. With one namespace, or objects without one, it is first in, first out.
type turns[T any] struct {
	// ring has the lines with items, in the order of their turns. lines has these lines by namespace, and last.
	ring  fifo[*line[T]]
	lines map[string]*line[T]
	// last is the line that was joined last, which saves looking it up again.
	last *line[T]
	len  int
}

// line has the items of a namespace.
type line[T any] struct {
	namespace string
	items     fifo[T]
}

// push adds an item.
func (t *turns[T]) push(namespace string, item T) {
	l := t.last
	if l == nil || l.namespace != namespace {
		l = t.join(namespace)
	}
	if l.items.len() == 0 {
		t.ring.push(l)
	}
	l.items.push(item)
	t.len++
}

// join returns the line of a namespace.
func (t *turns[T]) join(namespace string) *line[T] {
	if t.last != nil && t.last.items.len() == 0 {
		delete(t.lines, t.last.namespace)
	}
	l := t.lines[namespace]
	if l == nil {
		if t.lines == nil {
			t.lines = map[string]*line[T]{}
		}
		l = &line[T]{namespace: namespace}
		t.lines[namespace] = l
	}
	t.last = l
	return l
}

// next returns the item whose turn is next.
func (t *turns[T]) next() T { return t.ring.next().items.next() }

// drop removes the next item, whose namespace keeps its turn.
func (t *turns[T]) drop() {
	l := t.ring.next()
	l.items.pop()
	t.len--
	if l.items.len() == 0 {
		t.leave(l)
	}
}

// pop removes the next item, and returns it.
func (t *turns[T]) pop() T {
	l := t.ring.next()
	item := l.items.pop()
	t.len--
	switch {
	case l.items.len() == 0:
		t.leave(l)
	case t.ring.len() > 1:
		t.ring.push(t.ring.pop())
	}
	return item
}

// leave removes a line without items, whose turn it was.
func (t *turns[T]) leave(l *line[T]) {
	t.ring.pop()
	if cap(l.items.items) > 64 {
		l.items = fifo[T]{} // the slice is as long as the line has been
	}
	if l != t.last {
		delete(t.lines, l.namespace)
	}
}

// of returns the items of a namespace.
func (t *turns[T]) of(namespace string) []T {
	if l := t.lines[namespace]; l != nil {
		return l.items.all()
	}
	return nil
}

// fifo is a queue. The room of items that were taken is used again.
type fifo[T any] struct {
	items []T
	first int
}

func (f *fifo[T]) len() int { return len(f.items) - f.first }

func (f *fifo[T]) all() []T { return f.items[f.first:] }

func (f *fifo[T]) next() T { return f.items[f.first] }

func (f *fifo[T]) push(item T) {
	if len(f.items) == cap(f.items) && f.first > len(f.items)/2 {
		left := copy(f.items, f.all())
		clear(f.items[left:])
		f.items, f.first = f.items[:left], 0
	}
	f.items = append(f.items, item)
}

func (f *fifo[T]) pop() T {
	var none T
	item := f.items[f.first]
	f.items[f.first] = none // which would keep strings alive
	if f.first++; f.first == len(f.items) {
		f.items, f.first = f.items[:0], 0
	}
	return item
}
