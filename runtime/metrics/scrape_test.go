package metrics_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// series is one time series of /metrics.
type series struct {
	name   string
	labels map[string]string
	value  float64
}

// String returns the series as PromQL selects it, with sorted labels.
func (s series) String() string {
	var labels []string
	for _, label := range slices.Sorted(maps.Keys(s.labels)) {
		labels = append(labels, label+"="+strconv.Quote(s.labels[label]))
	}
	return s.name + "{" + strings.Join(labels, ",") + "}"
}

var (
	seriesLine = regexp.MustCompile(`^([a-zA-Z_:][\w:]*)(?:{(.*)})? (\S+)$`)
	labelPair  = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*")`)
)

// scrape returns the series that a handler serves.
func scrape(t *testing.T, handler http.Handler) []series {
	t.Helper()
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, response.Code, response.Body)
	var all []series
	for line := range strings.Lines(response.Body.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := seriesLine.FindStringSubmatch(strings.TrimSpace(line))
		require.NotNil(t, parts, line)
		one := series{name: parts[1], labels: map[string]string{}}
		for _, pair := range labelPair.FindAllStringSubmatch(parts[2], -1) {
			one.labels[pair[1]] = unquote(t, pair[2])
		}
		var err error
		one.value, err = strconv.ParseFloat(parts[3], 64)
		require.NoError(t, err, line)
		all = append(all, one)
	}
	return all
}

func unquote(t *testing.T, quoted string) string {
	t.Helper()
	text, err := strconv.Unquote(quoted)
	require.NoError(t, err, quoted)
	return text
}
