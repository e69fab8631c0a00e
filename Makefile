# `make demo` and `make test` are all that a new user needs; each installs what it lacks.

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = -c release --static-swift-stdlib
RELEASE_FOLDER = $(shell $(SWIFT) build $(RELEASE) --show-bin-path)

.PHONY: all setup setup-tests build demo test soak bench lint format man check-man completions install clean

all: build

setup:
	@Scripts/setup.sh

setup-tests:
	@Scripts/setup.sh --with-test-tools

build: setup
	$(SWIFT) build $(RELEASE) --product valise
	$(SWIFT) build $(RELEASE) --product valise-sample

# An encrypted account is created, migrated, exported, imported elsewhere, and proved equal.
demo: setup-tests build
	@Scripts/demo.sh "$(RELEASE_FOLDER)"

test: setup-tests
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build
	@python3 Scripts/soak-media.py "$$($(SWIFT) build --show-bin-path)" 5 100
	@Scripts/make-man.sh --check "$$($(SWIFT) build --show-bin-path)/valise"

# More than a thousand kills at random moments, crash points of the real program, flipped bits: an hour or two.
soak: setup-tests build
	@python3 Scripts/soak-media.py "$(RELEASE_FOLDER)"
	$(SWIFT) build --build-tests
	VALISE_SOAK=1 $(SWIFT) test --skip-build --filter 'SoakTests|RekeyTests|BitFlipTests|SalvageTests'

bench: setup-tests build
	$(SWIFT) build $(RELEASE) --product valise-limits
	@python3 Benchmarks/archive.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/rekey.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/media.py "$(RELEASE_FOLDER)"

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

man:
	$(SWIFT) build --product valise
	@Scripts/make-man.sh "$$($(SWIFT) build --show-bin-path)/valise"

install: build
	@Scripts/install.sh "$(RELEASE_FOLDER)/valise" "$(DESTDIR)$(PREFIX)"

clean:
	$(SWIFT) package clean
