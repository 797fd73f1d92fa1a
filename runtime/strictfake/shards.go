package strictfake

// WithShardedListAndWatch sets whether lists, watches and deletions of collections follow the shardSelector of their options, as on
// servers with the feature gate of this name. Other servers ignore it. The default follows servers of the same release as the
// client-go that the program is built with.
func WithShardedListAndWatch(on bool) Option { return func(c *config) { c.sharded = on } }
