//doctest:module test
package block

import (
	"context"
	"database/sql"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

func run(setup func(*manager.Manager) error, db *sql.DB, watchdog interface{ Check(context.Context) error }) {
	// BLOCK
}
