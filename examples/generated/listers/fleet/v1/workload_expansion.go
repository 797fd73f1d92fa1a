package v1

import (
	"k8s.io/apimachinery/pkg/labels"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// WorkloadListerExpansion has the methods of WorkloadLister that are written by hand.
type WorkloadListerExpansion interface {
	// InRegion lists the workloads of all namespaces that run in a region.
	InRegion(regionName string) ([]*fleetv1.Workload, error)
}

// WorkloadNamespaceListerExpansion has the methods of WorkloadNamespaceLister that are written by hand.
type WorkloadNamespaceListerExpansion interface {
	// InRegion lists the workloads of the namespace that run in a region.
	InRegion(regionName string) ([]*fleetv1.Workload, error)
}

// InRegion implements WorkloadListerExpansion.
func (l *workloadLister) InRegion(regionName string) ([]*fleetv1.Workload, error) {
	return inRegion(l, regionName)
}

// InRegion implements WorkloadNamespaceListerExpansion.
func (l workloadNamespaceLister) InRegion(regionName string) ([]*fleetv1.Workload, error) {
	return inRegion(l.ResourceIndexer, regionName)
}

func inRegion(lister interface {
	List(selector labels.Selector) ([]*fleetv1.Workload, error)
}, regionName string) ([]*fleetv1.Workload, error) {
	all, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var found []*fleetv1.Workload
	for _, workload := range all {
		if workload.Spec.RegionName == regionName {
			found = append(found, workload)
		}
	}
	return found, nil
}
