package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// project took controller-gen 10 s and 100 MiB. share is the part of the 10 s that the library takes for schemas and encoding.
func project(name string, ours time.Duration, memory int64, share float64) Project {
	library := time.Duration(share * float64(10*time.Second))
	return Project{
		Name:          name,
		ControllerGen: measure.Samples{{Wall: 10 * time.Second, CPU: 20 * time.Second, Memory: 100 * mebibyte}},
		Ours:          measure.Samples{{Wall: ours, CPU: 2 * ours, Memory: memory}},
		Steps: []measure.Steps{
			{Load: 5 * time.Second, Check: 5*time.Second - library, Schemas: library / 4, Encoding: library - library/4},
		},
	}
}

func TestProjectMisses(t *testing.T) {
	const small, half = 0.04, 50 * mebibyte
	misses := func(slack float64, projects ...Project) []string { return Results{Projects: projects}.Misses(slack) }
	assert.Empty(t, misses(1, project("x", time.Second, half, small), project("y", time.Second, half, small)))
	assert.Empty(t, misses(1, project("x", 1666*time.Millisecond, half, small)), "the mean is for several")
	assert.Empty(t, misses(1.5, project("x", 2450*time.Millisecond, half, small)))
	assert.Empty(t, misses(1, project("x", 2500*time.Millisecond, half, 0.2), project("y", time.Second, half, small)),
		"the mean allows for what x cannot reach")
	assert.Equal(t, []string{
		"x: 2.5 times faster in time, not 6.0 times",
		"definitions, geometric mean: 5.0 times faster in time, not 10.0 times",
		"x: 2.5 times faster in CPU time, not 6.0 times",
		"definitions, geometric mean: 5.0 times faster in CPU time, not 10.0 times",
	}, misses(1, project("x", 4*time.Second, half, small), project("y", time.Second, half, small)))
	assert.Equal(t, []string{
		"x: 1.0 times faster in time, not 2.0 times",
		"x: 1.0 times faster in CPU time, not 2.0 times",
	}, misses(2, project("x", 10*time.Second, 2*half, 0.2)))
	assert.Equal(t, []string{"x: a peak of 51 MiB, not at most 50 MiB"}, misses(1, project("x", time.Second, half+mebibyte, 0.2)))
	assert.Empty(t, misses(1, Project{Name: "roles", ControllerGen: measure.Samples{{}}, Ours: measure.Samples{{Wall: time.Second}}}))
}

func TestProjectTables(t *testing.T) {
	roles := project("x, roles", 5*time.Second, 40*mebibyte, 0)
	roles.Steps = nil
	projects := Projects{project("x", 2*time.Second, 25*mebibyte, 0.2), roles, project("y", time.Second, 50*mebibyte, 0.04)}
	facts := Facts{ControllerGen: "v0.0.2"}
	assert.Equal(t, `| | | controller-gen v0.0.2 | informer-gen-lite | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| x | time | 10.00 s | 2.00 s | 5.0× | at least 4.0×, from a share of 20 % |
| | CPU time | 20.00 s | 4.00 s | 5.0× | at least 4.0×, from a share of 20 % |
| | peak memory | 100 MiB | 25 MiB | 4.0× | at least 2× |
| x, roles | time | 10.00 s | 5.00 s | 2.0× | |
| | CPU time | 20.00 s | 10.00 s | 2.0× | |
| | peak memory | 100 MiB | 40 MiB | 2.5× | |
| y | time | 10.00 s | 1.00 s | 10.0× | at least 6.0× |
| | CPU time | 20.00 s | 2.00 s | 10.0× | at least 6.0× |
| | peak memory | 100 MiB | 50 MiB | 2.0× | at least 2× |
| definitions, geometric mean | time | | | 7.1× | at least 6.3× |
| | CPU time | | | 7.1× | at least 6.3× |
`, projects.table(facts))
	assert.Equal(t, "| CPU time of controller-gen v0.0.2 | load | parse, types, markers | schemas | encoding "+
		"| schemas and encoding | reachable |\n"+
		"| --- | ---: | ---: | ---: | ---: | ---: | --- |\n"+
		"| x | 5.00 s, 50 % | 3.00 s, 30 % | 0.50 s, 5 % | 1.50 s, 15 % | 20 % | 4.0× |\n"+
		"| y | 5.00 s, 50 % | 4.60 s, 46 % | 0.10 s, 1 % | 0.30 s, 3 % | 4 % | 20.0× |\n", projects.stepTable(facts))
	all := Results{Facts: facts, Projects: projects}
	assert.Equal(t, projects.table(facts)+"\n"+projects.stepTable(facts)+"\n"+facts.String(), all.Markdown())
}
