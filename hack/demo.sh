#!/usr/bin/env bash
# Generates clients for the example APIs into a temporary directory, and shows what came of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
echo '$ informer-gen-lite generate ./examples/apis/...'
go run ./cmd/informer-gen-lite generate ./examples/apis/... \
	--output-dir "$out/generated" --output-pkg example.com/demo/generated
echo
cd "$out"
find generated -print | sort | sed -e 's|[^/]*/|    |g'
