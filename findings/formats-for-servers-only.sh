#!/usr/bin/env bash
# k8s.io/apiextensions-apiserver and k8s.io/apimachinery v0.37.2
#
# Guess:   a text that a server accepts for the format duration or date-time can be decoded by metav1.Duration or metav1.Time.
# Seen:    "3 days", "1w" and "PT5M" are durations, and "2026-01-02t03:04:05z" is a time, for servers only. A list with one such object
#          cannot be decoded by typed clients at all, so an informer gets none of the others either.
# So:      add a pattern to such fields, such as ^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$ for metav1.Duration.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26
GO
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func see(format, text string, into any) {
	validator, _, err := validation.NewSchemaValidator(&apiextensions.JSONSchemaProps{Type: "string", Format: format})
	if err != nil {
		panic(err)
	}
	quoted, _ := json.Marshal(text)
	accepted := len(validation.ValidateCustomResource(nil, text, validator)) == 0
	fmt.Printf("%s %s: the server accepts %t, Go decodes %t\n", format, quoted, accepted, json.Unmarshal(quoted, into) == nil)
}

func main() {
	for _, text := range []string{"1h30m", "3 days", "1w", "PT5M"} {
		see("duration", text, &metav1.Duration{})
	}
	for _, text := range []string{"2026-01-02T03:04:05Z", "2026-01-02t03:04:05z"} {
		see("date-time", text, &metav1.Time{})
	}
}
GO
go get k8s.io/apiextensions-apiserver@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run .)
echo "$seen"
[ "$seen" = 'duration "1h30m": the server accepts true, Go decodes true
duration "3 days": the server accepts true, Go decodes false
duration "1w": the server accepts true, Go decodes false
duration "PT5M": the server accepts true, Go decodes false
date-time "2026-01-02T03:04:05Z": the server accepts true, Go decodes true
date-time "2026-01-02t03:04:05z": the server accepts true, Go decodes false' ]
