package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// took returns a measurement with only a median.
func took(wall time.Duration, memory int64) measure.Samples {
	least := measure.Sample{Wall: wall / 2, CPU: wall / 4, Memory: memory / 2}
	middle := measure.Sample{Wall: wall, CPU: wall / 2, Memory: memory}
	most := measure.Sample{Wall: 10 * wall, CPU: 5 * wall, Memory: 10 * memory}
	return measure.Samples{most, least, middle}
}

func comparison(upstream, ours time.Duration, memory int64) Comparison {
	return Comparison{
		Input: "all of an API", Upstream: took(upstream, 600*mebibyte), Ours: took(ours, memory),
		Faster: 25, Memory: 150 * mebibyte,
	}
}

func rerun(second time.Duration) []Rerun {
	return []Rerun{{Input: "all of an API", Changed: "nothing changed", First: took(time.Second, mebibyte), Second: took(second, mebibyte), Limit: time.Second / 2}}
}

func growth(at10, at100, at1000 time.Duration) *Growth {
	return &Growth{Margin: 1.1, Base: 100, Limit: 200 * time.Second, LimitAt: 100, Sizes: []Size{
		{Kinds: 10, Ours: took(at10, mebibyte)},
		{Kinds: 100, Ours: took(at100, mebibyte)},
		{Kinds: 1000, Ours: took(at1000, mebibyte)},
	}}
}

func compilation(ours time.Duration, size int64) *Compilation {
	took := func(cpu time.Duration, size int64) Compiled {
		return Compiled{Build: measure.Samples{{CPU: cpu}}, Vet: measure.Samples{{CPU: 2 * time.Second}}, Size: size}
	}
	return &Compilation{Input: "all of an API", Margin: 1.05, Upstream: took(2*time.Second, 40*mebibyte), Ours: took(ours, size)}
}

// noisyGrowth is constant except for the largest size.
func noisyGrowth(wall, cpu time.Duration) *Growth {
	g := growth(time.Second, 10*time.Second, 100*time.Second)
	g.Sizes[2].Ours = measure.Samples{{Wall: wall, CPU: cpu}}
	return g
}

func cpu(took time.Duration) measure.Samples { return measure.Samples{{CPU: took}} }

func TestMisses(t *testing.T) {
	const second, limit = time.Second, 150 * mebibyte
	for name, c := range map[string]struct {
		results Results
		slack   float64
		want    []string
	}{
		"nothing measured":   {results: Results{}, slack: 1},
		"fast enough":        {results: Results{Comparisons: []Comparison{comparison(25*second, second, limit)}}, slack: 1},
		"slow":               {Results{Comparisons: []Comparison{comparison(24*second, second, limit)}}, 1, []string{"all of an API: 24.0 times faster, not 25.0 times"}},
		"slow, with slack":   {results: Results{Comparisons: []Comparison{comparison(13*second, second, limit)}}, slack: 2},
		"slow for any slack": {Results{Comparisons: []Comparison{comparison(12*second, second, limit)}}, 2, []string{"all of an API: 12.0 times faster, not 12.5 times"}},
		"large": {Results{Comparisons: []Comparison{comparison(25*second, second, limit+mebibyte)}}, 2,
			[]string{"all of an API: a peak of 151 MiB, not at most 150 MiB"}},
		"quick again": {results: Results{Reruns: rerun(second / 2)}, slack: 1},
		"slow again": {Results{Reruns: rerun(600 * time.Millisecond)}, 1,
			[]string{"all of an API, nothing changed: 0.60 s, not at most 0.50 s"}},
		"slow again, with slack": {results: Results{Reruns: rerun(600 * time.Millisecond)}, slack: 2},
		"even growth":            {results: Results{Growth: growth(second, 10*second, 100*second)}, slack: 1},
		"noise in the CPU time":  {results: Results{Growth: noisyGrowth(100*second, 54*second)}, slack: 1},
		"more CPU time per kind": {Results{Growth: noisyGrowth(100*second, 56*second)}, 1,
			[]string{"1000 kinds: the CPU time per kind is 1.12 times that of 100 kinds, not at most 1.10 times"}},
		"more time per kind": {Results{Growth: noisyGrowth(102*second, 50*second)}, 1,
			[]string{"1000 kinds: the time per kind is 1.02 times that of 100 kinds, not at most 1.00 times"}},
		"more of both throughout": {Results{Growth: growth(second, 20*second, 400*second)}, 1, []string{
			"100 kinds: the CPU time per kind is 2.00 times that of 10 kinds, not at most 1.10 times",
			"1000 kinds: the time per kind is 2.00 times that of 100 kinds, not at most 1.00 times",
			"1000 kinds: the CPU time per kind is 2.00 times that of 100 kinds, not at most 1.10 times",
		}},
		"compiled as fast": {results: Results{Compilation: compilation(2100*time.Millisecond, 42*mebibyte)}, slack: 1},
		"compiled slowly": {Results{Compilation: compilation(2500*time.Millisecond, 40*mebibyte)}, 1,
			[]string{"all of an API, go build, CPU time: 1.250 times upstream's, not at most 1.05 times"}},
		"larger": {Results{Compilation: compilation(2*second, 50*mebibyte)}, 2,
			[]string{"all of an API, size of the program: 1.250 times upstream's, not at most 1.05 times"}},
		"programs compile slowly": {Results{Cold: &Cold{"the programs", cpu(10 * second), cpu(11 * second)}}, 1,
			[]string{"the programs: 1.10 times the CPU time of upstream's"}},
		"programs compile slowly, with slack": {results: Results{Cold: &Cold{"the programs", cpu(10 * second), cpu(11 * second)}}, slack: 1.5},
		"too long at a size":                  {Results{Growth: growth(21*second, 201*second, 2010*second)}, 1, []string{"100 kinds: 201.00 s, not at most 200.00 s"}},
		"more of both, with slack":            {results: Results{Growth: growth(second, 20*second, 400*second)}, slack: 2},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, c.results.Misses(c.slack))
		})
	}
}

const wantMarkdown = `| | | code-generator v0.0.1 | informer-gen-lite | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| all of an API | time | 13.00 s | 0.50 s | 26.0× | at least 25× |
| | CPU time | 6.50 s | 0.25 s | 26.0× | |
| | peak memory | 600 MiB | 40 MiB | 15.0× | at most 150 MiB |

| | | first run | again | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| all of an API, nothing changed | time | 1.00 s | 0.25 s | 0.25 | at most 0.50 s |
| | CPU time | 0.50 s | 0.12 s | 0.25 | |
| | peak memory | 1 MiB | 1 MiB | 1.00 | |

| kinds | time | per kind | CPU time per kind | peak memory | target |
| ---: | ---: | ---: | ---: | ---: | --- |
| 10 | 1.00 s | 100.00 ms | 50.00 ms | 1 MiB | |
| 100 | 2.00 s | 20.00 ms | 10.00 ms | 1 MiB | CPU time at most 1.1× the line above; time at most 200.00 s |
| 1000 | 4.00 s | 4.00 ms | 2.00 ms | 1 MiB | CPU time at most 1.1× the line above; time at most that at 100 |

| | | code-generator v0.0.1 | informer-gen-lite | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| all of an API | go build, CPU time | 2.00 s | 1.80 s | 0.900 | at most 1.05 |
| | go vet, CPU time | 2.00 s | 2.00 s | 1.000 | at most 1.05 |
| | size of the program | 40960 KiB | 36864 KiB | 0.900 | at most 1.05 |

| from an empty build cache | | code-generator v0.0.1 | informer-gen-lite | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| compiling | CPU time | 120.00 s | 30.00 s | 4.00× | at least 1× |
| | time | 60.00 s | 20.00 s | 3.00× | |

Measured by ` + "`make bench`" + `: medians of 3 runs of each side in turn; whole processes, from start to exit, on the wall
clock unless it says otherwise; upstream's programs, already built, one after the other; the peak of the largest
process. 2 cores, plan9/mips, go1.0.
`

func TestMarkdown(t *testing.T) {
	facts := Facts{CodeGenerator: "v0.0.1", Pairs: 3, Machine: "2 cores, plan9/mips, go1.0"}
	all := Results{
		Facts:       facts,
		Comparisons: []Comparison{comparison(13*time.Second, time.Second/2, 40*mebibyte)},
		Reruns:      rerun(time.Second / 4),
		Growth:      growth(time.Second, 2*time.Second, 4*time.Second),
		Compilation: compilation(1800*time.Millisecond, 36*mebibyte),
		Cold: &Cold{
			Input:    "compiling",
			Upstream: measure.Samples{{Wall: time.Minute, CPU: 2 * time.Minute}},
			Ours:     measure.Samples{{Wall: 20 * time.Second, CPU: 30 * time.Second}},
		},
	}
	assert.Equal(t, wantMarkdown, all.Markdown())
	assert.Equal(t, facts.String(), Results{Facts: facts}.Markdown())
}
