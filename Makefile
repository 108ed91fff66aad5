# Two commands matter: `make run` and `make test`. Both do all set-up.

GO       ?= go
BIN      := bin/chitta
VERSION  := $(shell sh scripts/version.sh)
RULES    := internal/capture/rules/gitleaks.toml
MODEL    := internal/embed/weights/minilm.int8
INSTALL  := $(or $(shell $(GO) env GOBIN),$(HOME)/.local/bin)
FUZZTIME ?= 30s
CROSS    := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

.PHONY: run build install test lint unit e2e fuzz fuzz-short bench cross rules model docs clean
.DEFAULT_GOAL := build

run: build ## build, start the daemon if needed, show how it stands
	@$(BIN) up

build: rules model ## build bin/chitta
	@mkdir -p bin
	@GO='$(GO)' sh scripts/build.sh $(BIN) $(VERSION)

install: build ## copy the binary to $GOBIN or ~/.local/bin
	@mkdir -p '$(INSTALL)'
	install -m 0755 $(BIN) '$(INSTALL)/chitta'
	@echo 'installed $(INSTALL)/chitta'

test: lint unit e2e cross fuzz-short ## everything that guards the project

lint: rules model ## format, vet, staticcheck
	@unformatted=$$(gofmt -l cmd internal test); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	@staticcheck=$$($(GO) -C tools tool -n staticcheck) && "$$staticcheck" ./...

# the translated database itself is left out of the race detector's watch: it is not ours,
# and takes most of the time when watched
unit: rules model ## all tests, with the race detector, in random order
	$(GO) test -race -gcflags='modernc.org/sqlite/lib=-race=false' -shuffle=on -timeout 20m $$($(GO) list ./... | grep -v /test/e2e)
	$(GO) test -run 'OnRecordedSessions|PagesAreBounded' ./internal/mind # large, and no matter of races
	CGO_ENABLED=0 $(GO) test ./internal/syntax ./internal/extract ./internal/codebase ./internal/anchor ./internal/bench/callgraph ./internal/tool # without parsers
	CGO_ENABLED=0 $(GO) test -run 'Code|Anchor|Fresh|Stale|Edited|Verify|Scripts' ./internal/mind ./internal/moment ./internal/cli

# run by itself, because it waits for real processes, and from its folder, where
# go test shows what a passing package prints
e2e: rules model ## with the real client, fetched if need be (CLIENT_VERSION=latest, CLAUDE_BIN=PATH)
	$(GO) -C test/e2e test -count=1 -parallel 3 -timeout 10m

fuzz: rules model ## every fuzz target for half a minute (FUZZTIME=5m for more)
	@sh scripts/fuzz.sh $(FUZZTIME)

fuzz-short: rules model # every fuzz target for a few inputs, as part of the tests
	@sh scripts/fuzz.sh 2000x

bench: build ## every benchmark with its target
	$(BIN) bench keyword --n 10000,100000
	$(BIN) bench store --n 1000,10000
	$(BIN) bench embed
	$(BIN) bench vector --n 100000

cross: rules model ## compile without cgo for every platform
	@for p in $(CROSS); do \
		echo "cross $$p"; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -trimpath -o /dev/null ./cmd/chitta || exit 1; \
	done

rules: $(RULES) ## the rule set for secrets, from the pinned module

$(RULES): tools/go.mod scripts/rules.sh
	@sh scripts/rules.sh $@

model: $(MODEL) ## the weights of the embedding model, from the pinned package

$(MODEL): scripts/model.sh internal/embed/convert.go internal/embed/container.go
	@sh scripts/model.sh $@

docs: build ## generated reference pages
	$(BIN) tools --markdown > docs/tools.md

clean:
	rm -rf bin dist .cache $(RULES) $(MODEL)
