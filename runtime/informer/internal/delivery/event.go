package delivery

// Event is an addition, update or deletion that handlers receive.
type Event struct {
	Kind          Kind
	Before, After any
	// Initial is set if the object is part of the initial list.
	Initial bool
}

// Kind is the kind of an event.
type Kind uint8

// The kinds of events.
const (
	Added Kind = iota
	Updated
	Deleted
)
