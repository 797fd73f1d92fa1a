// Package shards parses the selectors with which clients ask for a part of a list or watch, see package sharding of
// k8s.io/apimachinery. A server parses them as CEL, and never evaluates them. This package knows the part of CEL that selectors may
// contain, and words errors like a server, apart from those for the rest of CEL.
package shards

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/sharding"
)

// Parse returns the selector that a text describes, or a server's error.
func Parse(text string) (sharding.Selector, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, errors.New("empty shard selector is not allowed; omit the parameter for unfiltered lists")
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	ranges, err := root.ranges()
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		if first := ranges[0].Key; r.Key != first {
			return nil, fmt.Errorf("all shard ranges must use the same field, got %q and %q", first, r.Key)
		}
	}
	return sharding.NewSelector(ranges...), nil
}

// ranges returns the ranges of an expression, from left to right.
func (n *node) ranges() ([]sharding.ShardRangeRequirement, error) {
	switch {
	case n.kind != call:
		return nil, fmt.Errorf("unexpected expression kind %d; expected shardRange() call or || operator", n.kind)
	case n.text == "shardRange":
		one, err := n.shardRange()
		return []sharding.ShardRangeRequirement{one}, err
	case n.text != "_||_":
		return nil, fmt.Errorf("unsupported function %q; only shardRange() and || are allowed", n.text)
	}
	var all []sharding.ShardRangeRequirement
	for _, side := range n.nodes {
		some, err := side.ranges()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// shardRange returns the range of a call.
func (n *node) shardRange() (r sharding.ShardRangeRequirement, err error) {
	if len(n.nodes) != 3 {
		return r, fmt.Errorf("shardRange() requires exactly 3 arguments, got %d", len(n.nodes))
	}
	if r.Key, err = n.nodes[0].path(); err != nil {
		return r, fmt.Errorf("shardRange() first argument: %w", err)
	}
	if r.Key != "object.metadata.uid" && r.Key != "object.metadata.namespace" {
		return r, fmt.Errorf("unsupported field path %q; supported: object.metadata.uid, object.metadata.namespace", r.Key)
	}
	if r.Start, err = n.nodes[1].hash(); err != nil {
		return r, fmt.Errorf("hexStart%w", err)
	}
	if r.End, err = n.nodes[2].hash(); err != nil {
		return r, fmt.Errorf("hexEnd%w", err)
	}
	if !sharding.HexLess(r.Start, r.End) {
		return r, fmt.Errorf("shard range start %s must be less than end %s", r.Start, r.End)
	}
	return r, nil
}

// path returns a field as "object.metadata.uid".
func (n *node) path() (string, error) {
	if n.kind == identifier {
		return n.text, nil
	}
	if n.kind == selection {
		of, err := n.nodes[0].path()
		return of + "." + n.text, err
	}
	return "", fmt.Errorf("expected field path (e.g. object.metadata.uid), got expression kind %d", n.kind)
}

const (
	// digits is the number of digits of a hash, and beyond the end of the last shard.
	digits = 16
	beyond = "0x10000000000000000"
)

// hash returns the hash that a literal says, as "0x" and its digits. Its errors follow the name of an argument.
func (n *node) hash() (string, error) {
	if n.kind != literal {
		return "", fmt.Errorf(" must be a string literal (e.g. '0xff'), got expression kind %d", n.kind)
	}
	if n.goType != "string" {
		return "", fmt.Errorf(" must be a string literal, got %s", n.goType)
	}
	hex, hasPrefix := strings.CutPrefix(n.text, "0x")
	switch {
	case !hasPrefix:
		return "", fmt.Errorf(" must have '0x' prefix, got %q", n.text)
	case hex == "":
		return "", errors.New(": hex value is required after '0x'")
	case len(hex) > digits+1:
		return "", fmt.Errorf(": hex value too long (%d chars, max %d): %q", len(hex), digits+1, hex)
	}
	for _, c := range hex {
		if !strings.ContainsRune("0123456789abcdef", c) {
			return "", fmt.Errorf(": invalid hex character %q in %q", string(c), n.text)
		}
	}
	switch {
	case len(hex) > digits && n.text != beyond:
		return "", fmt.Errorf(": 17-digit hex value must be '%s' (2^64), got %q", beyond, n.text)
	case len(hex) < digits:
		padded := "0x" + strings.Repeat("0", digits-len(hex)) + hex
		return "", fmt.Errorf(" must be a 0x-prefixed 16-digit hex value, got %q (did you mean %q?)", n.text, padded)
	}
	return n.text, nil
}
