package controllers

import "time"

// Result is the result of a successful reconcile.
type Result struct {
	// RequeueAfter is the time after which the object is reconciled again, even without an event; 0 means never.
	RequeueAfter time.Duration
}
