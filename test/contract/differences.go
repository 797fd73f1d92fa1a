package contract

// differences are the probes that strict fakes do not answer as a server does, with the reasons.
var differences = map[string]string{}
