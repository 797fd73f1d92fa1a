package informergen

// Options returns the options of a Config.
var Options = Config.options
