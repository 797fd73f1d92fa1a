#!/usr/bin/env bash
# Generates clients for the example APIs into a temporary directory, and shows what came of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# What belongs beside the types is left out: it would be written into the repository.
echo '$ informer-gen-lite generate ./examples/apis/... --skip deepcopy,register'
go run ./cmd/informer-gen-lite generate ./examples/apis/... --skip deepcopy,register \
	--output-dir "$out/generated" --output-pkg example.com/demo/generated
echo
cd "$out"
find generated -print | sort | sed -e 's|[^/]*/|    |g'
