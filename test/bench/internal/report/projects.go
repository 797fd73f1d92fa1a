package report

import (
	"fmt"
	"math"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// The targets for definitions. Both sides make schemas and encode them with the same library, so where these steps take more than
// smallShare of controller-gen's CPU time, the target follows from their share.
const (
	projectFaster = 6
	meanFaster    = 10
	smallShare    = 0.08
	aboveShare    = 1.25 // 1/(aboveShare*smallShare) is meanFaster
	memoryFactor  = 2
)

// Project is what controller-gen and our program need for one project.
type Project struct {
	Name                string
	ControllerGen, Ours measure.Samples
	// Steps are the parts of controller-gen's time for definitions. There are targets only for these.
	Steps []measure.Steps
}

// share returns the part of controller-gen's CPU time that goes into schemas and encoding.
func (p Project) share() float64 {
	var shares []float64
	for _, steps := range p.Steps {
		shares = append(shares, steps.Share())
	}
	return harness.Median(shares)
}

// reachable returns how many times faster our program can be at most, beside the library that both sides use.
func (p Project) reachable() float64 {
	return 1 / (aboveShare * p.share())
}

// shared returns whether the library takes so much of controller-gen's time that the target follows from it.
func (p Project) shared() bool { return p.share() > smallShare }

// target returns the required speedup.
func (p Project) target() float64 {
	if p.shared() {
		return p.reachable()
	}
	return projectFaster
}

// explained formats the target.
func (p Project) explained() string {
	text := fmt.Sprintf("at least %.1f×", p.target())
	if p.shared() {
		text += fmt.Sprintf(", from a share of %s", percent(p.share()))
	}
	return text
}

// Projects are what both sides need for several projects.
type Projects []Project

// withTargets returns the projects with targets.
func (all Projects) withTargets() (some Projects) {
	for _, p := range all {
		if len(p.Steps) > 0 {
			some = append(some, p)
		}
	}
	return some
}

// mean returns the geometric mean of a value of projects.
func (all Projects) mean(of func(Project) float64) float64 {
	sum := 0.0
	for _, p := range all {
		sum += math.Log(of(p))
	}
	return math.Exp(sum / float64(len(all)))
}

// meanTarget returns the required geometric mean, to which projects contribute less that cannot reach it.
func (all Projects) meanTarget() float64 {
	return all.mean(func(p Project) float64 { return min(meanFaster, p.reachable()) })
}

// faster returns the ratio of a quantity for a project.
func (q quantity) faster(p Project) float64 {
	return q.times(p.ControllerGen.Median(), p.Ours.Median())
}

func (all Projects) misses(slack float64) (misses []string) {
	some := all.withTargets()
	for _, q := range quantities[:2] {
		for _, p := range some {
			if faster := q.faster(p); faster < p.target()/slack {
				misses = append(misses, fmt.Sprintf("%s: %.1f times faster in %s, not %.1f times", p.Name, faster, q.name, p.target()/slack))
			}
		}
		if faster := some.mean(q.faster); len(some) > 1 && faster < some.meanTarget()/slack {
			misses = append(misses, fmt.Sprintf("definitions, geometric mean: %.1f times faster in %s, not %.1f times",
				faster, q.name, some.meanTarget()/slack))
		}
	}
	for _, p := range some {
		limit := int64(slack * float64(p.ControllerGen.Median().Memory) / memoryFactor)
		if ours := p.Ours.Median().Memory; ours > limit {
			misses = append(misses, fmt.Sprintf("%s: a peak of %s, not at most %s", p.Name, mib(ours), mib(limit)))
		}
	}
	return misses
}

// table compares the sides.
func (all Projects) table(facts Facts) string {
	t := harness.Table{Header: []string{"", "", "controller-gen " + facts.ControllerGen, "informer-gen-lite", "ratio", "target"}, Numbers: 2}
	for _, p := range all {
		targets := []string{"", "", ""}
		if len(p.Steps) > 0 {
			targets = []string{p.explained(), p.explained(), fmt.Sprintf("at least %d×", memoryFactor)}
		}
		name := p.Name
		for i, q := range quantities {
			theirs, ours := p.ControllerGen.Median(), p.Ours.Median()
			t.Add(name, q.name, q.text(theirs), q.text(ours), fmt.Sprintf("%.1f×", q.times(theirs, ours)), targets[i])
			name = ""
		}
	}
	if some := all.withTargets(); len(some) > 1 {
		name := "definitions, geometric mean"
		for _, q := range quantities[:2] {
			t.Add(name, q.name, "", "", fmt.Sprintf("%.1f×", some.mean(q.faster)), fmt.Sprintf("at least %.1f×", some.meanTarget()))
			name = ""
		}
	}
	return t.String()
}

// stepTable says what controller-gen's CPU time is for.
func (all Projects) stepTable(facts Facts) string {
	t := harness.Table{
		Header: []string{"CPU time of controller-gen " + facts.ControllerGen,
			"load", "parse, types, markers", "schemas", "encoding", "schemas and encoding", "reachable"},
		Numbers: 1,
	}
	for _, p := range all.withTargets() {
		s := measure.MedianOfSteps(p.Steps)
		of := func(step time.Duration) string {
			return fmt.Sprintf("%s, %s", seconds(step), percent(times(step, s.Total())))
		}
		t.Add(p.Name, of(s.Load), of(s.Check), of(s.Schemas), of(s.Encoding), percent(p.share()), fmt.Sprintf("%.1f×", p.reachable()))
	}
	return t.String()
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
