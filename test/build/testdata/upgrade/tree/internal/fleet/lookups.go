package fleet

import (
	fleetv1 "example.com/fleet/api/v1"
	fleetinformers "example.com/fleet/pkg/generated/informers/externalversions/api/v1"
	listers "example.com/fleet/pkg/generated/listers/api/v1"
	"example.com/fleet/pkg/generated/listers/reader"
	"k8s.io/apimachinery/pkg/types"
)

// lookups returns the names of robots that each lookup finds.
func lookups(robots fleetinformers.RobotInformer, owner types.UID) (names [][]string, err error) {
	add := func(found []*fleetv1.Robot, lookupErr error) {
		var all []string
		for _, robot := range found {
			all = append(all, robot.Name)
		}
		names = append(names, all)
		if err == nil {
			err = lookupErr
		}
	}
	add(robots.Lister().ByRegion("north"))
	add(robots.Lister().Robots("shop").ByRegion("north"))
	add(robots.Lister().ByTools("hammer", "steel"))
	add(robots.Lister().BySeasonLabel("winter"))
	add(robots.Lister().Owned(owner))
	return names, err
}

// partsOf returns copies of the parts of a robot.
func partsOf(parts fleetinformers.PartInformer, robot *fleetv1.Robot) ([]*fleetv1.Part, error) {
	return parts.Lister().Owned(robot.UID)
}

// read reads with the functions that take any lister.
func read(robots fleetinformers.RobotInformer) (names []string, exists bool) {
	for robot := range reader.All(robots.Lister()) {
		names = append(names, robot.Name)
	}
	for _, robot := range reader.Sorted(robots.Lister()) {
		names = append(names, robot.Name)
	}
	return names[:count(robots.Lister())], isThere(robots.Lister().Robots("shop"), "arm")
}

func count(robots reader.Lister[*fleetv1.Robot]) int { return reader.Len(robots) }

func isThere(robots reader.Getter[*fleetv1.Robot], name string) bool {
	return reader.Exists(robots, name)
}

// copies returns a lister whose objects may be modified.
func copies(robots fleetinformers.RobotInformer) listers.RobotLister {
	return listers.NewRobotLister(reader.Copies(robots.Lister()))
}
