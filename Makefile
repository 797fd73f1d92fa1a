# All modules in one workspace: their tests share one build of the Kubernetes libraries. Tests run outside of it, because the go commands
# that they start are those of users. GOGC trades memory for time, and make lint vets.
WORKSPACE = GOWORK=$(CURDIR)/hack/go.work
GO_TEST = $(WORKSPACE) GOGC=400 go test -exec 'env -u GOWORK' -shuffle=on -vet=off
GOLANGCI_LINT = $(CURDIR)/bin/golangci-lint

# Packages with goroutines or locks: TestRaced in internal fails if one is missing. The command itself comes last, with the tests in
# which its parts run concurrently.
RACED = ./crdfake ./internal/wing/switching/apicompare ./internal/core/goname ./internal/core/sys/interrupt ./internal/core/load ./internal/core/module/... ./internal/core/output ./internal/front/pipeline ./internal/wing/cluster/crd \
	./internal/core/sys/progress ./internal/wing/switching/proof ./internal/core/render ./internal/core/resolve/source ./internal/core/run ./runtime/... ./runtime/controller/tracing/... ./runtime/metrics/... ./runtime/securemetrics/... \
	./apiservertest/... ./examples/fakes ./examples/tests
RACED_COMMAND = Interrupted|Killed|SecondRun|TwoRuns|Watch

# The modules whose dependencies users compile.
PUBLISHED = . runtime runtime/metrics runtime/securemetrics runtime/controller/tracing apiservertest crdfake

.PHONY: help build demo test race lint tidy runtime kubebuilder generate verify licenses vulnerabilities conformance compatibility \
	conformance-all conformance-ahead build-tests targets platforms ahead release-dry-run foreign e2e contract contract-walk soak outages shards mutations \
	e2e-full strategies bench bench-ratio page-picture fuzz attack findings check nightly

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Build bin/informer-gen-lite
	go build -o bin/informer-gen-lite ./cmd/informer-gen-lite

demo: ## Generate the clients of the examples, test a reconciler on fakes, and run it against a real API server; KEEP=1 keeps that running
	@go run ./hack/demo $(if $(KEEP),-keep)

# With -short, tests of many random inputs take some of them; build-tests takes all.
test: ## Run all tests of the tool, of the run-time library, and of the examples
	$(GO_TEST) -short -timeout 20m ./... ./test/internal/... ./runtime/... ./runtime/metrics/... ./examples/...

race: ## Run the tests of packages with goroutines or locks with the race detector
	$(GO_TEST) -race -short -timeout 20m $(RACED)
	$(GO_TEST) -race -short -timeout 10m -run '$(RACED_COMMAND)' ./internal/front/cli

lint: tidy ## Run the linters over all modules
	go build -modfile=hack/tools/go.mod -o $(GOLANGCI_LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	$(WORKSPACE) $(GOLANGCI_LINT) run $$($(WORKSPACE) go list -m -f '{{.Dir}}/...')
	cd hack/tools && GOWORK=off $(GOLANGCI_LINT) run --config ../../.golangci.yml
	cd cachemutation/testdata/cases && go vet ./...
# Linting test/e2e-full would compile Kubernetes. Only check that its modules resolve; e2e-full compiles it.
	cd test/e2e-full && go list -m all > /dev/null

# Not test/e2e-full: it replaces modules of Kubernetes that it does not import.
tidy: ## Fail if a go.mod is not tidy
	for file in $$(git ls-files go.mod '*/go.mod' | grep -v -e 'testdata/[mt]' -e e2e-full); do \
		(cd $$(dirname $$file) && go mod tidy -diff) || exit 1; \
	done

# Users of the library with the oldest client-go that it supports get what no other lane compiles.
runtime: ## Test the run-time library as its own go.mod files resolve it: with the oldest client-go that it supports
	for module in runtime runtime/metrics runtime/securemetrics runtime/controller/tracing; do \
		(cd $$module && go vet ./... && go test -shuffle=on -timeout 15m ./...) || exit 1; \
	done

# A user's project is a module of its own, and its go.mod decides what is generated.
kubebuilder: build ## Verify and test the kubebuilder example, a separate module
	cd examples/kubebuilder && ../../bin/informer-gen-lite verify && go vet ./... && go test -shuffle=on -timeout 2m ./...

generate: ## Bring the generated code of the examples up to date
	hack/update-codegen.sh

verify: ## Fail if the generated code of the examples is out of date
	hack/verify-codegen.sh

licenses: ## Check the licenses of what users compile
	cd hack/tools && GOWORK=off go test ./licenses
	for module in $(PUBLISHED) examples; do \
		GOWORK=off go run -C hack/tools ./licenses -module $(CURDIR)/$$module $$(test $$module = . && echo ./cmd/informer-gen-lite .  || echo ./...) > /dev/null || exit 1; \
	done

vulnerabilities: ## Check what users compile for known vulnerabilities, if the database is reachable
	hack/vulnerabilities.sh $(PUBLISHED) examples

# A release that cannot be installed cannot be taken back.
release-dry-run: ## Make the next release in a copy, and install and require it as users do
	cd hack/tools && GOWORK=off go test -shuffle=on -timeout 5m ./release
	hack/release.sh --dry-run

# The promise of the tool is code-generator's output: upstream's programs and test suites are the only judges of that.
conformance: ## Compare with code-generator, and regenerate client-go and run its tests: oldest and newest release; NEWEST=1 leaves out the oldest
	cd test/conformance && go test $(if $(NEWEST),-short) -timeout 60m -v ./...

conformance-all: ## Run conformance for every supported release of client-go, and for all of Kubernetes (more than an hour)
	cd test/conformance && INFORMER_GEN_LITE_CONFORMANCE_ALL=1 go test -count=1 -timeout 180m -v ./...
	$(MAKE) conformance-ahead

# The release of Go that a release of client-go needs which is not final.
NEXT_GO = go1.27.4

conformance-ahead: ## Run conformance for the release of client-go that is not final (many minutes)
	cd test/conformance && GOTOOLCHAIN=$(NEXT_GO) go test -count=1 -timeout 60m -v ./...

compatibility: ## Compare with what public modules ship, and with controller-gen; write the tables to docs/compatibility.md
	cd test/conformance && INFORMER_GEN_LITE_CONFORMANCE_ALL=1 go test -count=1 -timeout 120m -v -run "TestModules|TestDefinitions|TestDiff|TestShipped" . \
		-compatibility ../../docs/compatibility.md

# README and the commands that the tool prints are what new users run first, and nothing else follows them literally.
build-tests: ## Run the tests that compile for minutes: README and docs are followed, scaffolds are tested, with the oldest client-go, too
	$(GO_TEST) -timeout 30m ./test/build/...
	$(GO_TEST) -run '^(FuzzGenerate|TestDependenciesAreParsedLikeOtherFiles|TestKilled|TestTargets|TestNames|TestImportGroupsAlike|TestMigrate(Check|CheckOlder|Situations))$$' ./internal/front/cli ./internal/core/load ./internal/core/output ./internal/front/pipeline

# What others wrote is what a switch has to cope with.
repositories: ## Switch ten public repositories, and write the table to docs/a-switch.md (many minutes)
	cd test/build && go test -count=1 -timeout 90m -v -run TestRepositories . -repositories $(CURDIR)/docs/a-switch.md

targets: ## Compile and run the output for every older release of client-go, not only the oldest (minutes)
	INFORMER_GEN_LITE_ALL_TARGETS=1 go test -count=1 -timeout 20m -v -run 'Targets$$' ./internal/front/cli
	cd test/build && INFORMER_GEN_LITE_ALL_TARGETS=1 go test -count=1 -timeout 40m -v -run 'Targets$$' .

platforms: ## Compile everything, tests included, for Windows, macOS and arm64 (minutes)
	for platform in windows/amd64 darwin/arm64 linux/arm64; do for module in . runtime runtime/metrics crdfake examples examples/kubebuilder; do \
		echo "$$platform $$module" && (cd $$module && GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0 go test -c -o /dev/null ./... > /dev/null) || exit 1; \
	done; done

# Schemas in the wild have forms that nobody writes into a test.
foreign: ## Import the definitions of 38 public projects, and compare schemas and objects (minutes); without ALL, three projects
	INFORMER_GEN_LITE_FOREIGN_ALL=$(ALL) $(GO_TEST) -count=1 -timeout 60m -v ./test/foreign/...

# Only a real API server shows what controllers do when watches break, requests fail and servers restart.
e2e: ## Test apiservertest, and the generated code of the examples against its API server; soak does more, RACE=1 uses the race detector
	$(GO_TEST) -short $(if $(RACE),-race) -parallel 4 -timeout 30m ./apiservertest/... ./examples/internal/controller/workload/servertest/... ./test/e2e/...

# Strict fakes are worth as much as they are like a server.
contract: ## Compare fakes with a real API server, and write the scores to docs/testing.md; fail if they have changed
	$(GO_TEST) -timeout 15m ./crdfake/... ./test/contract/...
	cd test/contract && $(WORKSPACE) go run ./score -document ../../docs/testing.md

contract-walk: ## Compare the strict fake with a real API server in 100,000 random requests; WALK_SEED sets the first round (minutes)
	WALK_REQUESTS=100000 $(GO_TEST) -count=1 -timeout 60m -v ./test/contract/walk

soak: ## Test the operator under faults, kills, outages and a restore with up to 5,000 objects, and hand-overs with default options; e2e does less
	E2E_DEFAULTS=1 $(GO_TEST) -count=1 -timeout 60m -v -parallel 1 -run 'TestControllersUnder(Faults|Kills|Everything)|TestLeaderElection' ./test/e2e

outages: ## Cut the ways of two processes of the operator to the API server at random, for half an hour
	E2E_LASTING=30m $(GO_TEST) -count=1 -timeout 60m -v -run TestControllersUnderOutages ./test/e2e

shards: ## Run 20,000 random histories of the protocol for shards, break each of its rules, and change informers 100,000 times (minutes)
	cd runtime && GOWORK=off go test -count=1 -vet=off -v -timeout 10m -run TestRandomChanges ./informer/internal/shared -args -changes 100000 -seed $$(date +%s)
	cd runtime && GOWORK=off go test -count=1 -vet=off -v -timeout 10m -run 'TestHistories$$' ./manager/internal/shards -args -histories 20000
	cd runtime && GOWORK=off go test -count=1 -vet=off -v -timeout 60m -run 'TestMutations$$' ./manager/internal/shards -args -mutations -histories 20000

mutations: ## Change the types, markers and options of the examples in more than 200 ways; e2e tries every twelfth
	MUTATIONS=all $(GO_TEST) -count=1 -v -parallel 2 -timeout 100m -run TestMutations ./test/e2e

e2e-full: export E2E_SERVER = $(CURDIR)/bin/e2e-full
e2e-full: ## Run the tests of e2e against kube-apiserver and its controllers, built from source (minutes)
	cd test/e2e-full && go vet ./... && go build -o $(E2E_SERVER) \
		-ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$$(go list -m -f '{{.Version}}' k8s.io/kubernetes)" .
	$(GO_TEST) -count=1 -v -parallel 4 -timeout 15m ./apiservertest
	$(GO_TEST) -count=1 -timeout 15m -run TestServer ./test/contract
	$(GO_TEST) -short -count=1 -v -parallel 4 -timeout 30m ./test/e2e
	cd apiservertest && E2E_SERVER= go test -run '^$$' -bench . -benchtime 3x . && go test -run '^$$' -bench . -benchtime 3x .

strategies: ## Write the table of what kube-apiserver does with built-in kinds, for strict fakes; the first time, it compiles for minutes
	cd test/e2e-full && GOWORK=off go run ./strategies ../../runtime/strictfake/internal/builtin/table.json

bench: ## Run benchmarks against code-generator and handwritten controllers, and write the tables in test/bench and test/e2e/bench
	cd test/bench && go run . -readme README.md
	INFORMER_GEN_LITE_NEXT_GO=$(NEXT_GO) go -C test/e2e run ./bench -readme bench/README.md

# Speed is a promise of README, and it is lost in small steps.
bench-ratio: ## Test the benchmark, and fail if the advantage over code-generator on one CRD type is below a third of the target, or that over controller-gen below two thirds
	$(GO_TEST) ./test/bench/...
# The same program was 85 and 189 times faster on two machines of one kind: starting a short process costs what the system makes of it.
# TestAllocations in internal/front/cli notices what this does not.
	cd test/bench && go run . -only b -pairs 3 -check -slack 3
	cd test/bench && go run . -only h -module cluster-api -pairs 3 -check -slack 1.5

page-picture: ## Take the pictures of the debug page in docs/images; needs chromium
	@command -v chromium > /dev/null || { echo "chromium is missing: apt-get install chromium"; exit 1; }
	cd runtime && go test -count=1 -run TestPictures ./manager/internal/page -pictures $(CURDIR)/docs/images

check: lint test race runtime build-tests kubebuilder verify ## Run all checks for a commit

# One after the other, for hours: what finds something once in a while, or repeats a lane of .ci/run with all of its inputs.
nightly: targets platforms ahead repositories conformance-all compatibility contract-walk soak outages shards mutations e2e-full ## Run the lanes that take too long for a commit
	$(MAKE) foreign ALL=1
	$(MAKE) e2e RACE=1

# On the day of a release, users upgrade client-go and Go: what breaks then has to be known before.
ahead: ## Test everything with the newest pre-release of Kubernetes' libraries and the newest Go (half an hour)
	hack/ahead.sh

# How long to fuzz each target.
FUZZ_TIME = 60s

fuzz: ## Fuzz the generator with API files, headers and scripts for three minutes; FUZZ_TIME=10m makes it half an hour
	go test ./internal/front/pipeline -run '^$$' -fuzz FuzzGenerate -fuzztime $(FUZZ_TIME)
	go test ./internal/core/render -run '^$$' -fuzz FuzzHeader -fuzztime $(FUZZ_TIME)
	go test ./internal/wing/switching/script -run '^$$' -fuzz FuzzMigrate -fuzztime $(FUZZ_TIME)

findings: ## Run the scripts in findings, which show what outside software does
	for script in findings/*.sh; do echo "=== $$script"; $$script || exit 1; done

attack: ## Fuzz for half an hour, then run the robustness tests in test/attack (hours); docs/reliability.md has the results
	$(MAKE) fuzz FUZZ_TIME=10m
	cd test/attack && go test -count=1 -v -timeout 300m . -mutants 5000 -kills 2000 -types 100000 -packages 3000 -megabytes 50
