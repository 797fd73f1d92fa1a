#!/usr/bin/env bash
# Brings everything up to date that is generated in the examples, and for the tests of the run-time library and of test/e2e.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(cd examples && go generate .)

# The kubebuilder project and the library are modules of their own, in which the program is run as anybody would: without a flag.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin" ./cmd/informer-gen-lite
(cd examples/kubebuilder && "$bin/informer-gen-lite")
(cd runtime && "$bin/informer-gen-lite")
(cd test && "$bin/informer-gen-lite")
