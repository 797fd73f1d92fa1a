// Package shards decides which replica serves which buckets of objects.
package shards
