package main

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"
)

const (
	changelog = "CHANGELOG.md"
	// unreleased follows the version in the heading of an entry, until the release has a date.
	unreleased = "not yet released"
)

// heading matches the heading of an entry in the changelog.
var heading = regexp.MustCompile(`(?m)^## (\S+)(?: \((.*)\))?$`)

// relative matches links to files of the repository.
var relative = regexp.MustCompile(`\]\(([A-Za-z][^):]*)\)`)

// notesOf returns a version's entry with links that work everywhere.
func notesOf(text, version string) (string, error) {
	entry, err := entryOf(text, version)
	return relative.ReplaceAllString(entry, "](https://"+rootModule+"/blob/"+version+"/$1)"), err
}

// firstVersion returns the version of the first entry.
func firstVersion(text string) (string, error) {
	found := heading.FindStringSubmatch(text)
	if found == nil || !semver.IsValid(found[1]) {
		return "", fmt.Errorf("%s: the first entry has no version: write ## v1.2.3 (%s)", changelog, unreleased)
	}
	return found[1], nil
}

// entryOf returns the text of a version's entry without its heading.
func entryOf(text, version string) (string, error) {
	found := heading.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		if text[at[2]:at[3]] != version {
			continue
		}
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		line := strings.Count(text[:at[0]], "\n") + 1
		if at[4] < 0 {
			return "", fmt.Errorf("%s:%d: the entry has no date: write ## %s (%s)", changelog, line, version, unreleased)
		}
		entry := strings.TrimSpace(text[at[1]:end])
		if entry == "" {
			return "", fmt.Errorf("%s:%d: the entry of %s is empty", changelog, line, version)
		}
		return entry + "\n", nil
	}
	return "", fmt.Errorf("%s: no entry for %s: write ## %[2]s (%s)", changelog, version, unreleased)
}

// dated returns the changelog with a date in the heading of a version that has none yet.
func dated(text, version, date string) string {
	return strings.Replace(text, "## "+version+" ("+unreleased+")\n", "## "+version+" ("+date+")\n", 1)
}
