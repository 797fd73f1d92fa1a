package contract

var patchProbes []Probe
var applyProbes []Probe
var scaleProbes []Probe
var versionProbes []Probe
var discoveryProbes []Probe
var namespaceProbes []Probe
var concurrencyProbes []Probe
