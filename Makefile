GOLANGCI_LINT = $(CURDIR)/bin/golangci-lint
# The test of the example's controller against an API server, a module of its own.
SERVERTEST = examples/internal/controller/workload/servertest

.PHONY: help build demo test platforms build-tests targets runtime kubebuilder library generate verify lint licenses vulnerabilities conformance foreign conformance-all compatibility e2e contract contract-walk soak mutations e2e-full bench bench-ratio page-picture fuzz attack check check-next-go release-dry-run

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Build bin/informer-gen-lite
	go build -o bin/informer-gen-lite ./cmd/informer-gen-lite

demo: ## Generate the clients of the examples, test a reconciler on fakes, and run it against a real API server; KEEP=1 keeps that running
	@go run ./hack/demo $(if $(KEEP),-keep)

test: ## Run all tests of the tool, of the run-time library, and of the examples
	go test -race -shuffle=on -timeout 30m ./...
	cd cachemutation/testdata/cases && go mod tidy -diff && go vet ./...
	cd runtime && go test -race -shuffle=on -timeout 15m ./...
	cd examples && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 10m ./...

build-tests: ## Run the tests that compile for minutes (README, scaffold, oldest client-go) and tests with all inputs
	cd test/build && go mod tidy -diff && go vet ./... && go test -shuffle=on -timeout 30m ./...
# All inputs of tests that use a part of them with the race detector.
	go test -run '^(FuzzGenerate|TestDependenciesAreParsedLikeOtherFiles|TestKilled|TestNames)$$' ./internal/cli ./internal/load ./internal/output ./internal/pipeline

platforms: ## Compile everything, tests included, for Windows, macOS and arm64 (minutes)
	for platform in windows/amd64 darwin/arm64 linux/arm64; do for module in . runtime runtime/metrics crdfake examples examples/kubebuilder; do \
		echo "$$platform $$module" && (cd $$module && GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0 go test -c -o /dev/null ./... > /dev/null) || exit 1; \
	done; done

targets: ## Compile and run the output for every older release of client-go, not only the oldest (minutes)
	INFORMER_GEN_LITE_ALL_TARGETS=1 go test -count=1 -timeout 20m -v -run 'Targets$$' ./internal/cli
	cd test/build && INFORMER_GEN_LITE_ALL_TARGETS=1 go test -count=1 -timeout 40m -v -run 'Targets$$' .

runtime: ## Check the run-time library with each release of client-go that it supports; newest.mod has the newest
	cd runtime && go mod tidy -diff && go vet -race ./...
	cd runtime && go mod tidy -diff -modfile=newest.mod && go vet -modfile=newest.mod ./... && go test -modfile=newest.mod -shuffle=on -timeout 15m ./...
	cd runtime/controller/tracing && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 5m ./...
	cd runtime/metrics && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 5m ./...
	cd runtime/securemetrics && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 5m ./...

kubebuilder: build ## Verify and test the kubebuilder example, a separate module
	cd examples/kubebuilder && ../../bin/informer-gen-lite verify
	cd examples/kubebuilder && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 2m ./...

library: ## Test the library from another module, with a custom generator, and the webhooks of controller-runtime
	cd examples/reference && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 2m ./...
	cd examples/webhooks && go mod tidy -diff && go vet -race ./... && go test -race -shuffle=on -timeout 2m ./...

generate: ## Bring the generated code of the examples up to date
	hack/update-codegen.sh

verify: ## Fail if the generated code of the examples is out of date
	hack/verify-codegen.sh

lint: ## Run the linters over all modules
	go build -modfile=hack/tools/go.mod -o $(GOLANGCI_LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	$(GOLANGCI_LINT) run
	cd test/conformance && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd test/foreign && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd examples && $(GOLANGCI_LINT) run --config ../.golangci.yml
	cd examples/reference && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd examples/webhooks && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd test/bench && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd hack/licenses && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd hack/release && $(GOLANGCI_LINT) run --config ../../.golangci.yml
# Reuse the race-enabled build cache of the tests.
	cd apiservertest && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../.golangci.yml
	cd test/e2e && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd crdfake && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../.golangci.yml
	cd $(SERVERTEST) && GOFLAGS=-race $(GOLANGCI_LINT) run --config $(CURDIR)/.golangci.yml
	cd test/contract && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd test/contract/bench && $(GOLANGCI_LINT) run --config ../../../.golangci.yml
	cd test/attack && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd test/build && $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd runtime && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../.golangci.yml
	cd runtime/controller/tracing && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../../.golangci.yml
	cd runtime/metrics && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd runtime/securemetrics && GOFLAGS=-race $(GOLANGCI_LINT) run --config ../../.golangci.yml
# Linting test/e2e-full would compile Kubernetes. Only check that its modules resolve; e2e-full compiles it.
	cd test/e2e-full && go list -m all > /dev/null

licenses: ## Check the licenses of what users compile
	cd hack/licenses && go mod tidy -diff && go vet ./... && go test ./...
	cd hack/licenses && go run . -module ../.. ./cmd/informer-gen-lite . > /dev/null
	cd hack/licenses && go run . -module ../../examples ./... > /dev/null
	cd hack/licenses && go run . -module ../../apiservertest ./... > /dev/null
	cd hack/licenses && go run . -module ../../crdfake ./... > /dev/null
	cd hack/licenses && go run . -module ../../runtime ./... > /dev/null
	cd hack/licenses && go run . -module ../../runtime/controller/tracing ./... > /dev/null
	cd hack/licenses && go run . -module ../../runtime/metrics ./... > /dev/null
	cd hack/licenses && go run . -module ../../runtime/securemetrics ./... > /dev/null

release-dry-run: ## Make the next release in a copy, and install and require it as users do
	cd hack/release && go mod tidy -diff && go vet ./... && go test -race -shuffle=on -timeout 5m ./...
	hack/release.sh --dry-run

vulnerabilities: ## Check what users compile for known vulnerabilities, if the database is reachable
	hack/vulnerabilities.sh

conformance: ## Compare with code-generator, and regenerate client-go and run its tests: oldest and newest release
	cd test/conformance && go test -timeout 60m -v ./...

foreign: ## Import the definitions of 38 public projects, and compare schemas and objects (minutes); without ALL, three projects
	cd test/foreign && go mod tidy -diff && INFORMER_GEN_LITE_FOREIGN_ALL=$(ALL) go test $(if $(ALL),,-race) -count=1 -timeout 60m -v ./...

conformance-all: ## Run conformance for every supported release of client-go (more than half an hour)
	cd test/conformance && INFORMER_GEN_LITE_CONFORMANCE_ALL=1 go test -count=1 -timeout 180m -v ./...

compatibility: ## Compare with the clients that public modules ship, and with controller-gen; write the table to docs/compatibility.md
	cd test/conformance && INFORMER_GEN_LITE_CONFORMANCE_ALL=1 go test -count=1 -timeout 120m -v -run "TestModules|TestDefinitions" . \
		-compatibility ../../docs/compatibility.md

e2e: ## Test apiservertest, and the generated code of the examples against its API server
	cd apiservertest && go mod tidy -diff && go test -race -shuffle=on -timeout 10m ./...
	cd $(SERVERTEST) && go mod tidy -diff && go test -race -shuffle=on -timeout 5m ./...
	cd test/e2e && go test -race -shuffle=on -parallel 4 -timeout 30m ./...

contract: ## Compare fakes with a real API server, and write the scores to docs/testing.md; fail if they have changed
	cd crdfake && go mod tidy -diff && go test -race -shuffle=on -timeout 5m ./...
	cd test/contract && go mod tidy -diff && go test -race -shuffle=on -timeout 10m ./... && go run -race ./score -document ../../docs/testing.md
	cd test/contract/bench && go mod tidy -diff && go vet -race ./... && go test -race -timeout 5m ./...

contract-walk: ## Compare the strict fake with a real API server in 100,000 random requests; WALK_SEED sets the first round (minutes)
	cd test/contract && WALK_REQUESTS=100000 go test -count=1 -timeout 60m -v ./walk

soak: ## Test the operator under faults, kills and a restore with up to 5,000 objects, and hand-overs with default options; e2e does less
	cd test/e2e && E2E_DEFAULTS=1 go test -count=1 -timeout 30m -v -parallel 1 -run 'TestControllersUnder(Faults|Kills)|TestLeaderElection' .

mutations: ## Change the types, markers and options of the examples in more than 200 ways; e2e tries every twelfth
	cd test/e2e && MUTATIONS=all go test -count=1 -v -parallel 2 -timeout 100m -run TestMutations .

e2e-full: ## Run the tests of e2e against kube-apiserver and its controllers, built from source (minutes)
	cd test/e2e-full && go vet ./... && go build -o $(CURDIR)/bin/e2e-full \
		-ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$$(go list -m -f '{{.Version}}' k8s.io/kubernetes)" .
	cd apiservertest && E2E_SERVER=$(CURDIR)/bin/e2e-full go test -race -shuffle=on -count=1 -v -parallel 4 -timeout 15m .
	cd test/contract && E2E_SERVER=$(CURDIR)/bin/e2e-full go test -count=1 -timeout 15m -run TestServer .
	cd test/e2e && E2E_SERVER=$(CURDIR)/bin/e2e-full go test -race -shuffle=on -count=1 -v -parallel 4 -timeout 30m .
	cd apiservertest && go test -run '^$$' -bench . -benchtime 3x . && E2E_SERVER=$(CURDIR)/bin/e2e-full go test -run '^$$' -bench . -benchtime 3x .

bench: ## Run benchmarks against code-generator and handwritten controllers, and write the tables in test/bench and test/e2e/bench
	cd test/bench && go run . -readme README.md
	go -C test/e2e run ./bench -readme bench/README.md

bench-ratio: ## Fail if the advantage over code-generator on one CRD type has dropped by a third
	cd test/bench && go run . -only b -pairs 3 -check -slack 1.5

page-picture: ## Take the pictures of the debug page in docs/images; needs chromium
	@command -v chromium > /dev/null || { echo "chromium is missing: apt-get install chromium"; exit 1; }
	cd runtime && go test -count=1 -run TestPictures ./manager/internal/page -pictures $(CURDIR)/docs/images

check: lint test runtime build-tests kubebuilder library verify ## Run all checks for a commit

# The release of Go after the one that go.mod names.
NEXT_GO = go1.27.4

check-next-go: ## Download the next release of Go and run the tests with it (minutes)
	INFORMER_GEN_LITE_NEXT_GO=$(NEXT_GO) go test -count=1 -run TestSourceNewerThanProgram ./internal/cli
	GOTOOLCHAIN=$(NEXT_GO) go vet ./...
	GOTOOLCHAIN=$(NEXT_GO) go test -shuffle=on -timeout 30m ./...

# How long to fuzz each target.
FUZZ_TIME = 60s

fuzz: ## Fuzz the generator with API files, headers and scripts for three minutes; FUZZ_TIME=10m makes it half an hour
	go test ./internal/pipeline -run '^$$' -fuzz FuzzGenerate -fuzztime $(FUZZ_TIME)
	go test ./internal/render -run '^$$' -fuzz FuzzHeader -fuzztime $(FUZZ_TIME)
	go test ./internal/migrate -run '^$$' -fuzz FuzzMigrate -fuzztime $(FUZZ_TIME)

attack: ## Fuzz for half an hour, then run the robustness tests in test/attack (hours); docs/reliability.md has the results
	$(MAKE) fuzz FUZZ_TIME=10m
	cd test/attack && go mod tidy -diff && go test -count=1 -v -timeout 300m . \
		-mutants 5000 -kills 2000 -types 100000 -packages 3000 -megabytes 50
