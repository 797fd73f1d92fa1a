#!/usr/bin/env bash
# Fails, and shows the difference, if hack/update-codegen.sh would change anything. Works on a copy of the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C "$copy"
"$copy/hack/update-codegen.sh"
if ! diff -ru examples "$copy/examples"; then
	echo "examples are out of date: run hack/update-codegen.sh" >&2
	exit 1
fi
echo "examples are up to date"
