package contract

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
)

// The groups of the examples that a server with their CustomResourceDefinitions serves.
const (
	fleetGroup = "fleet.example.com"
	edgeGroup  = "edge-network.example.com"
)

// showResources records the resources of a version in discovery.
func (p *P) showResources(version string, show func(metav1.APIResource) string) {
	list, err := p.client.Discovery().ServerResourcesForGroupVersion(version)
	if !p.err(version, err) {
		return
	}
	p.printf("groupVersion=%s", list.GroupVersion)
	var lines []string
	for _, resource := range list.APIResources {
		lines = append(lines, resource.Name+" "+show(resource))
	}
	slices.Sort(lines)
	for _, line := range lines {
		p.printf("%s", line)
	}
}

// ours reports whether a group is one of the examples'.
func ours(group string) bool { return group == fleetGroup || group == edgeGroup }

func kindAndScope(r metav1.APIResource) string {
	return r.Kind + " " + map[bool]string{true: "namespaced", false: "cluster"}[r.Namespaced]
}

func verbs(r metav1.APIResource) string {
	all := slices.Clone(r.Verbs)
	slices.Sort(all)
	return strings.Join(all, ",")
}

var discoveryProbes = group("discovery",
	probe("resources-edge", func(p *P) { p.showResources(edgeGroup+"/v1alpha1", kindAndScope) }),
	probe("resources-fleet-v1", func(p *P) { p.showResources(fleetGroup+"/v1", kindAndScope) }),
	probe("resources-fleet-v1beta1", func(p *P) { p.showResources(fleetGroup+"/v1beta1", kindAndScope) }),
	needsCRD("verbs", func(p *P) { p.showResources(fleetGroup+"/v1", verbs) }),
	needsCRD("names", func(p *P) {
		p.showResources(edgeGroup+"/v1alpha1", func(r metav1.APIResource) string {
			return r.SingularName + " " + strings.Join(r.ShortNames, ",") + " " + strings.Join(r.Categories, ",")
		})
	}),
	needsCRD("categories", func(p *P) {
		p.showResources(fleetGroup+"/v1", func(r metav1.APIResource) string { return strings.Join(r.Categories, ",") })
	}),
	needsCRD("scale-kind", func(p *P) {
		p.showResources(fleetGroup+"/v1", func(r metav1.APIResource) string { return r.Group + "/" + r.Version + " " + r.Kind })
	}),
	probe("unknown-version", func(p *P) { p.showResources(fleetGroup+"/v9", verbs) }),
	probe("unserved-version", func(p *P) { p.showResources(fleetGroup+"/v1alpha1", verbs) }),
	probe("unknown-group", func(p *P) { p.showResources("nothing.example.com/v1", verbs) }),
	probe("invalid-version", func(p *P) { p.showResources("a/b/c", verbs) }),
	probe("groups", func(p *P) {
		groups, err := p.client.Discovery().ServerGroups()
		p.must("groups", err)
		var lines []string // in any order
		for i := range groups.Groups {
			if group := &groups.Groups[i]; ours(group.Name) {
				words := []string{group.Name, "preferred=" + group.PreferredVersion.GroupVersion}
				for _, version := range group.Versions {
					words = append(words, version.GroupVersion)
				}
				lines = append(lines, strings.Join(words, " "))
			}
		}
		slices.Sort(lines)
		p.printf("%s", strings.Join(lines, "\n"))
	}),
	probe("groups-and-resources", func(p *P) {
		groups, resources, err := p.client.Discovery().ServerGroupsAndResources()
		p.must("groups and resources", err)
		var lines []string // in any order
		for _, group := range groups {
			if ours(group.Name) {
				lines = append(lines, "group "+group.Name)
			}
		}
		for _, list := range resources {
			if group, _, _ := strings.Cut(list.GroupVersion, "/"); ours(group) {
				lines = append(lines, fmt.Sprintf("resources of %s: %t", list.GroupVersion, len(list.APIResources) > 0))
			}
		}
		slices.Sort(lines)
		p.printf("%s", strings.Join(lines, "\n"))
	}),
	probe("preferred-resources", func(p *P) {
		lists, err := p.client.Discovery().ServerPreferredResources()
		p.must("preferred resources", err)
		for _, list := range lists {
			for i := range list.APIResources {
				if list.APIResources[i].Name == "workloads" {
					p.printf("workloads of %s", list.GroupVersion)
				}
			}
		}
	}),
	probe("server-version", func(p *P) {
		version, err := p.client.Discovery().ServerVersion()
		p.must("version", err)
		p.printf("major=%s minor=%s", set(version.Major), set(version.Minor))
	}),
	probe("supports-resource", func(p *P) {
		for _, name := range []string{"relays", "nothings"} {
			list, err := p.client.Discovery().ServerResourcesForGroupVersion(edgeGroup + "/v1alpha1")
			p.must("resources", err)
			p.printf("%s: %t", name, slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == name }))
		}
	}),
	probe("is-group-discovery-failed", func(p *P) {
		_, err := p.client.Discovery().ServerResourcesForGroupVersion("nothing.example.com/v1")
		p.show("group discovery failed", discovery.IsGroupDiscoveryFailedError(err))
	}),
)
