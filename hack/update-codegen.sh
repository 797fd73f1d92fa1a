#!/usr/bin/env bash
# Brings everything up to date that is generated in the examples.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

go generate ./examples

# The kubebuilder project is a module of its own, in which the program is run as anybody would: without a flag.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin" ./cmd/informer-gen-lite
(cd examples/kubebuilder && "$bin/informer-gen-lite")
