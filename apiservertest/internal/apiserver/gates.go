package apiserver

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// gates are the feature gates of the servers in this process. Kubernetes has one set of gates per process, so all running servers
// share it.
var gates struct {
	lock    sync.Mutex
	servers int             // that run
	set     map[string]bool // by the options of each server
	before  map[string]bool // the gates that were set before
}

// errGates is the error for a server whose gates would be those of another one, too.
var errGates = errors.New("a server with other feature gates runs in this process, and gates belong to the process: use StartProcess")

// holdGates sets feature gates for a server. It returns a function that gives them back: gates have their earlier values when the last
// server has done so. It returns an error, and changes nothing, if a gate does not exist, or if a running server has other gates.
func holdGates(wanted map[string]bool) (release func(), err error) {
	gates.lock.Lock()
	defer gates.lock.Unlock()
	if gates.servers > 0 && !maps.Equal(gates.set, wanted) {
		return nil, errGates
	}
	if gates.servers == 0 {
		if err := setGates(wanted); err != nil {
			return nil, fmt.Errorf("feature gates: %w", err)
		}
	}
	gates.servers++
	return sync.OnceFunc(releaseGates), nil
}

// setGates sets gates and remembers which ones were set already. The library keeps wrong gates, so a copy is set first.
func setGates(wanted map[string]bool) error {
	all := utilfeature.DefaultMutableFeatureGate
	if err := all.DeepCopy().SetFromMap(wanted); err != nil {
		return err
	}
	before := map[string]bool{}
	for name := range all.GetAll() {
		if all.ExplicitlySet(name) {
			before[string(name)] = all.Enabled(name)
		}
	}
	gates.set, gates.before = maps.Clone(wanted), before
	return all.SetFromMap(wanted)
}

// releaseGates restores the gates after the last server. AllAlpha and AllBeta have set others, too.
func releaseGates() {
	gates.lock.Lock()
	defer gates.lock.Unlock()
	if gates.servers--; gates.servers > 0 {
		return
	}
	all := utilfeature.DefaultMutableFeatureGate
	for name := range all.GetAll() {
		if _, wasSet := gates.before[string(name)]; !wasSet {
			_ = all.ResetFeatureValueToDefault(name) // only fails for gates that are set halfway
		}
	}
	_ = all.SetFromMap(gates.before) // which they had before
}
