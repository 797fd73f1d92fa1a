package page

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// element is an element of a page, with its text.
type element struct {
	name       string
	attributes map[string]string
	inside     []string
	text       string
}

// elements parses a page, which is well-formed XML, too. It fails the test if it is not.
func elements(t *testing.T, page string) (all []*element) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Entity = xml.HTMLEntity
	var open []*element
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, parent := range open {
				e.inside = append(e.inside, parent.name)
			}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

// checkHTML checks what a screen reader needs, and that there is no script.
func checkHTML(t *testing.T, page string) []*element {
	t.Helper()
	require.True(t, strings.HasPrefix(page, "<!DOCTYPE html>\n"))
	all := elements(t, page)
	count, labels, level := map[string]int{}, map[string]bool{}, 0
	for _, e := range all {
		count[e.name]++
		if e.name == "label" && strings.TrimSpace(e.text) != "" {
			labels[e.attributes["for"]] = true
		}
	}
	for _, once := range []string{"h1", "main", "header", "title"} {
		assert.Equal(t, 1, count[once], once)
	}
	assert.Equal(t, "en", all[0].attributes["lang"])
	for _, e := range all {
		assert.NotContains(t, []string{"script", "iframe", "object", "img", "link"}, e.name)
		switch e.name {
		case "h1", "h2", "h3", "h4":
			is := int(e.name[1] - '0')
			assert.LessOrEqual(t, is, level+1, "%s after h%d", e.name, level)
			assert.NotEmpty(t, strings.TrimSpace(e.text))
			level = is
		case "input", "select", "textarea":
			assert.True(t, labels[e.attributes["id"]], "%v has a label", e.attributes)
		case "th":
			assert.Contains(t, []string{"row", "col"}, e.attributes["scope"])
		case "section":
			assert.True(t, slices.Contains(e.inside, "main"))
		}
		for name := range e.attributes {
			assert.False(t, strings.HasPrefix(name, "on"), name)
			assert.NotEqual(t, "style", name)
		}
	}
	assert.Equal(t, count["table"], count["caption"], "each table has a caption")
	return all
}

func TestHTML(t *testing.T) {
	response := get(t, "", browser, fleet()...)
	assert.Equal(t, "text/html; charset=utf-8", response.Header().Get("Content-Type"))
	assert.Contains(t, response.Header().Get("Content-Security-Policy"), "default-src 'none'")
	var rows, links []string
	for _, e := range checkHTML(t, response.Body.String()) {
		switch {
		case e.name == "tr" && slices.Contains(e.inside, "tbody"):
			rows = append(rows, strings.TrimSpace(e.text))
		case e.name == "a":
			links = append(links, e.attributes["href"])
		}
	}
	require.Len(t, rows, 6)
	assert.Equal(t, "workloads.v1.fleet.example.comspec.limit, spec.ports[].name", rows[2])
	assert.Contains(t, rows[3], "(only referred to)"+attack)
	assert.Equal(t, "shop/web10s agodeployments.apps shop/web at resource version 4711", rows[0])
	assert.Contains(t, rows[1], attack)
	assert.Equal(t, []string{"?object=shop%2fweb&controller=workloads", "?object=shop%2fdb&controller=workloads"}, links)

	page := get(t, "?object=shop/web&controller=workloads", browser, fleet()...).Body.String()
	for _, e := range checkHTML(t, page) {
		switch e.name {
		case "h1":
			assert.Equal(t, "Why is shop/web not reconciled?", e.text)
		case "input":
			assert.Equal(t, "shop/web", e.attributes["value"])
		case "option":
			assert.Equal(t, e.text == "workloads", e.attributes["selected"] == "selected")
		case "ul":
			assert.Contains(t, e.text, "waiting for deployments.apps shop/web at resource version 4711.")
		}
	}
	for _, query := range []string{"?object=" + `%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E`, "?controller=%3Cscript%3E"} {
		checkHTML(t, get(t, query, browser, fleet()...).Body.String())
	}
}

// TestContrast computes the contrast of all colors of text with both backgrounds, as WCAG defines it.
func TestContrast(t *testing.T) {
	themes := regexp.MustCompile(`:root \{[^}]*\}`).FindAllString(text, -1)
	require.Len(t, themes, 2, "light and dark")
	for _, theme := range themes {
		colors := map[string]float64{}
		for _, match := range regexp.MustCompile(`--(\w+): #(\w{6});`).FindAllStringSubmatch(theme, -1) {
			colors[match[1]] = luminance(t, match[2])
		}
		require.Len(t, colors, 9)
		for _, name := range []string{"text", "soft", "link", "good", "busy", "bad"} {
			for _, background := range []string{"page", "card"} {
				light, dark := max(colors[name], colors[background]), min(colors[name], colors[background])
				assert.GreaterOrEqual(t, (light+.05)/(dark+.05), 4.5, "%s on %s", name, background)
			}
		}
	}
}

func luminance(t *testing.T, hex string) (sum float64) {
	t.Helper()
	for i, weight := range []float64{.2126, .7152, .0722} {
		value, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		require.NoError(t, err)
		c := float64(value) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
