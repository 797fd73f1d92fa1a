package shards

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// encodeRanges returns ranges of buckets with their values, without buckets that do not count.
func encodeRanges(counts func(b int) bool, same func(a, b int) bool, value func(b int) string) string {
	var text []byte
	for first := 0; first < Buckets; {
		last := first
		for last+1 < Buckets && same(first, last+1) {
			last++
		}
		if counts(first) {
			if len(text) > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, int64(first), 10)
			text = append(text, '-')
			text = strconv.AppendInt(text, int64(last), 10)
			text = append(text, value(first)...)
		}
		first = last + 1
	}
	return string(text)
}

// decodeRanges calls add for each range of a text.
func decodeRanges(text string, add func(first, last int, value string) error) error {
	for text != "" {
		var part string
		part, text, _ = strings.Cut(text, ",")
		low, rest, ok := strings.Cut(part, "-")
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(rest)
		}
		first, err := strconv.Atoi(low)
		last, errLast := strconv.Atoi(rest[:end])
		if !ok || err != nil || errLast != nil || first < 0 || first > last || last >= Buckets {
			return fmt.Errorf("buckets %q: %w", part, errFormat)
		}
		if err := add(first, last, rest[end:]); err != nil {
			return err
		}
	}
	return nil
}

// decode reads an annotation. Before anything else it checks the format, whose place is the same in all formats.
func decode(text string, into any, version *int) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("%w: %w", errFormat, err)
	}
	if *version != format {
		return fmt.Errorf("%w %d", errFormat, *version)
	}
	return nil
}

// mustEncode returns JSON. Nothing in the types of annotations can fail.
func mustEncode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
