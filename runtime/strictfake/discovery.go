package strictfake

import (
	"reflect"
	"runtime/debug"
	"strings"

	"k8s.io/apimachinery/pkg/version"
	fakediscovery "k8s.io/client-go/discovery/fake"
)

// oldestMinor is the minor version of Kubernetes that belongs to the oldest client-go which the library supports.
const oldestMinor = "36"

// setServerVersion sets the server version of a clientset's discovery client, unless it has one.
func setServerVersion(clientset any) {
	method := reflect.ValueOf(clientset).MethodByName("Discovery")
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return
	}
	client, ok := reflect.TypeAssert[*fakediscovery.FakeDiscovery](method.Call(nil)[0])
	if !ok || client == nil || client.FakedServerVersion != nil {
		return
	}
	minor := clientMinor()
	client.FakedServerVersion = &version.Info{Major: "1", Minor: minor, GitVersion: "v1." + minor + ".0"}
}

// clientMinor returns the minor version of Kubernetes that belongs to the client-go of this program.
func clientMinor() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return oldestMinor
	}
	for _, dependency := range info.Deps {
		if dependency.Path != "k8s.io/client-go" {
			continue
		}
		if dependency.Replace != nil {
			dependency = dependency.Replace
		}
		if parts := strings.Split(dependency.Version, "."); len(parts) > 2 && parts[0] == "v0" {
			return parts[1]
		}
	}
	return oldestMinor
}
