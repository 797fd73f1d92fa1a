#!/usr/bin/env bash
# Brings everything up to date that is generated from examples/apis.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

go tool -modfile=hack/tools/go.mod deepcopy-gen \
	--output-file zz_generated.deepcopy.go \
	--go-header-file hack/boilerplate.go.txt \
	./examples/apis/...
go generate ./examples
