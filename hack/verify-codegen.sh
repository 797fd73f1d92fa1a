#!/usr/bin/env bash
# Fails, and shows the difference, if hack/update-codegen.sh would change anything. Works on a copy of the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C "$copy"
"$copy/hack/update-codegen.sh"
for dir in examples runtime test/e2e/jsonforms; do
	if ! diff -ru "$dir" "$copy/$dir"; then
		echo "$dir is out of date: run hack/update-codegen.sh" >&2
		exit 1
	fi
done
echo "examples, runtime and test/e2e are up to date"
