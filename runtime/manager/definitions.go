package manager

import (
	"fmt"
	"io"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// StaleDefinitions says what happens while the definition of a kind in the cluster lacks fields of the types that the program was
// generated from.
type StaleDefinitions int

const (
	// Warn is the default: the log, /readyz, metrics and the debug page name the fields, and controllers reconcile.
	Warn StaleDefinitions = iota
	// Refuse holds back all objects of controllers that reconcile or own the kind, until the definition has the fields, also at the start
	// until it has been read. Deletions wait, too. Controllers go on at most a minute after the definition was upgraded.
	Refuse
)

// WithStaleDefinitions says what controllers do while a definition in the cluster is older than the program. The API server then removes
// new fields from written objects, without an error.
//
// The manager reads the index of /openapi/v3 at the start and then once a minute, which by default all accounts may do, and the document of
// a group if its hash in the index has changed. A field is missing if two comparisons a minute apart say so. The manager knows the fields
// of informers that were generated for the run-time library. If the account may not read the index, that is logged, and nothing is refused.
func WithStaleDefinitions(s StaleDefinitions) Option {
	return func(settings *settings) { settings.refuse = s == Refuse }
}

// compareDefinitions makes the manager compare definitions with the fields that the informers of its factory know.
func (m *Manager) compareDefinitions() (err error) {
	m.definitions, err = definitions.Attach(m.factory, m.unfenced, m.settings.refuse)
	m.Run("definitions", m.definitions.Run, BeforeCaches())
	return err
}

// writeStale names the fields that definitions lack, of kinds that are reconciled or owned.
func (m *Manager) writeStale(w io.Writer) {
	for _, d := range m.definitions.Describe() {
		if d.Written {
			_, _ = fmt.Fprintf(w, "the definition of %s lacks the fields %s\n", d.Definition, definitions.Words(d.MissingFields))
		}
	}
}
