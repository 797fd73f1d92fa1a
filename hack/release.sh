#!/usr/bin/env bash
# Makes a release of all modules in this clone: first its commit, and on that commit, or after the merge, the tags. It pushes nothing. With
# --dry-run, it only proves that users could install the release. Without a version, it takes that of the first entry in CHANGELOG.md.
#
#   hack/release.sh [--dry-run] [--out DIR] [VERSION]
set -euo pipefail
GOWORK=off exec go run -C "$(dirname "${BASH_SOURCE[0]}")/tools/release" . "$@"
