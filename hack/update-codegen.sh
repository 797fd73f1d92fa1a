#!/usr/bin/env bash
# Brings everything up to date that is generated from examples/apis.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

go generate ./examples/...
