#!/usr/bin/env bash
# Tests everything with the newest pre-release of Kubernetes' libraries and the newest Go: what users have on the first day of a release.
# KUBERNETES and GO choose others.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kubernetes=${KUBERNETES:-$(go list -m -versions k8s.io/client-go | tr ' ' '\n' | grep '^v0' | tail -1)}
go=${GO:-go$(go list -m -f '{{.Version}}' go@latest)}
echo "=== $kubernetes, $go"

# What two releases of Go concerns: a program that the older one has built reads sources that need the newer one, and output is the same.
export INFORMER_GEN_LITE_NEXT_GO=$go
go test -count=1 -run TestSourceNewerThanProgram ./internal/front/cli
(cd test/conformance && GOWORK=off go test -count=1 -timeout 30m -v -run TestOutputDoesNotDependOnGo .)
go -C test/e2e run ./bench -only next -objects 3000 -pairs 1
unset INFORMER_GEN_LITE_NEXT_GO

export GOTOOLCHAIN=$go
go vet ./...
go test -shuffle=on -timeout 40m ./...
(cd test/conformance && GOWORK=off go test -count=1 -timeout 60m -v ./...)

# The modules that users import get the pre-release in a copy, and their generated code anew. Handwritten code stays as it is.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C "$copy"
go build -o "$copy/informer-gen-lite" ./cmd/informer-gen-lite
ahead=$(ls "$PWD"/test/conformance/v0.*.mod)
cd "$copy"
# What a pre-release requires may not be published yet: the requirements of the conformance tests replace it.
replacements=$(sed -n 's/^replace \([^ ]*\) => \([^ ]*\) \(v[^ ]*\)$/-replace=\1=\2@\3/p' "$ahead")
for module in runtime runtime/metrics runtime/securemetrics runtime/controller/tracing; do
	echo "=== $module"
	(
		cd "$module"
		# shellcheck disable=SC2086
		go mod edit $replacements
		# shellcheck disable=SC2046
		go get $(go mod edit -json | sed -n 's/^.*"Path": "\(k8s\.io\/\(api\|api[a-z]*\|client-go\|component-base\)\)".*$/\1@'"$kubernetes"'/p')
		if [ -f .informer-gen.yaml ]; then
			"$copy/informer-gen-lite"
		fi
		go get ./...
		go vet ./...
		go test -shuffle=on -timeout 20m ./...
	)
done
