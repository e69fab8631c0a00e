# `make demo` and `make test` are all that a new user needs; each installs what it lacks.

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = -c release --static-swift-stdlib
TRANSCRIPTS = Tests/5-Commands/Commands/Fixtures/transcripts
ROUNDS = 5
TEST_FLAGS = -c release -debug-info-format none --scratch-path .build/tests
# What is built for the tests is the same in all other respects; see Package.swift.
TEST_BUILD = VALISE_QUICK=1 $(SWIFT) build $(TEST_FLAGS)
TEST_PROGRAMS = VALISE_PROGRAMS="$$($(TEST_BUILD) --show-bin-path)"
RELEASE_FOLDER = $(shell $(SWIFT) build $(RELEASE) --show-bin-path)

.PHONY: all setup setup-tests setup-package build demo test test-unit test-consumer docs check-docs soak fuzz fuzz-short bench bench-builds lint spelling format man transcripts examples schemas check-man completions install deb test-deb clean

all: build

setup:
	@Scripts/setup.sh

setup-tests:
	@Scripts/setup.sh --with-test-tools

setup-package:
	@Scripts/setup.sh --with-package-tools

build: setup
	$(SWIFT) build $(RELEASE) --product valise
	$(SWIFT) build $(RELEASE) --product valise-relay
	$(SWIFT) build $(RELEASE) --product valise-sample

# An encrypted account is created, migrated, exported, imported elsewhere, and proved equal; its messages become pages.
demo: setup-tests build
	@Scripts/demo.sh "$(RELEASE_FOLDER)"

# TEST_FLAGS: for the build, without what a debugger reads; empty for a debugger, and where little changes from one build to
# the next. As a release, whole modules at a time, nothing takes longer, and it takes a third of the time to run.
# The soaks and the manual pages are of the same build.
test: setup-tests
	$(TEST_BUILD) --build-tests
	@VALISE_QUICK=1 SWIFT="$(SWIFT)" Scripts/test-consumer.sh $(TEST_FLAGS)
	@$(TEST_PROGRAMS) SWIFT="$(SWIFT)" Scripts/test.sh

# What needs no other process and no socket.
test-unit: setup
	$(TEST_BUILD) --build-tests
	@$(TEST_PROGRAMS) SWIFT="$(SWIFT)" Scripts/test.sh unit

# Suites with a long form.
SWEEPS = SoakTests|AccountLockTests|RekeyTests|BitFlipTests|SalvageTests|StoreFaultTests|RelayTransferTests|RoundTripTests|BorderSizeTests|JobModelTests|WorkerKillTests|AccountChangeTests|PreviousAccountTests|LaterWorkTests|AccountCompactionTests|AccountMigrationTests|MediaConversionTests|MediaExportFaultTests|ArchiveExtractionTests|DecryptedExtractionTests|CryptoFileFaultTests|CrashedMoveTests|InterruptedChangeTests|MediaExportCommandTests|EarlierInterruptionTests|EraReadingTests|SessionScaleTests|ForgedPageTests|PhoneDamageTests|DesktopStoreTests|PhoneStoreTests|SessionExportTests

# A program of somebody else's that imports Valise alone.
test-consumer: setup
	@SWIFT="$(SWIFT)" Scripts/test-consumer.sh

# The library's documentation as a site, in docs/.
docs: setup
	@SWIFT="$(SWIFT)" Scripts/docs.sh

# Its links and parameters only, of what is built already.
check-docs:
	@SWIFT="$(SWIFT)" Scripts/check-docs.sh

# What the programs say, in more than a thousand invocations, written anew: look at the difference before it is committed.
transcripts: setup-tests
	$(SWIFT) build
	@python3 Scripts/transcripts.py "$$($(SWIFT) build --show-bin-path)/valise" $(TRANSCRIPTS) --update
	@python3 Scripts/compare-transcripts.py --update

# More than a thousand kills at random moments, crash points of the real program, flipped bits: an hour or two.
soak: setup-tests build
	@python3 Scripts/soak-media.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-archives.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-exports.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-chats.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-pictures.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-backups.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-stores.py "$(RELEASE_FOLDER)"
	@python3 Scripts/backup-together.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/month.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-transfers.py "$(RELEASE_FOLDER)"
	@VALISE_PEER=strict python3 Scripts/soak-transfers.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-relay.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-relays.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-relay-moves.py "$(RELEASE_FOLDER)"
	@python3 Scripts/soak-move.py "$(RELEASE_FOLDER)"
	@VALISE_PEER=strict python3 Scripts/soak-move.py "$(RELEASE_FOLDER)" 100 1,300
	$(TEST_BUILD) --build-tests
	@for suites in '$(SWEEPS)' LoopbackTests HostileClientTests; do \
	    $(TEST_PROGRAMS) VALISE_SOAK=1 SWIFT="$(SWIFT)" Scripts/test.sh --filter "$$suites" || exit; \
	done

# Everything that reads what others wrote, against hostile input: twenty minutes for each of ten, two at a time.
fuzz: setup-tests
	@Fuzz/run.sh

fuzz-short: setup-tests
	@FUZZ_SEED=20261121 Fuzz/run.sh 30

bench: setup-tests build
	$(SWIFT) build $(RELEASE) --product valise-limits
	$(SWIFT) build $(RELEASE) --product session-sample
	@python3 Benchmarks/archive.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/rekey.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/media.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/reading.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/session.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/text.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/pictures.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/verify.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/backup.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/index.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/transfer.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/relays.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/move.py "$(RELEASE_FOLDER)"
	@python3 Benchmarks/store.py "$(RELEASE_FOLDER)"

# Two builds of the programs, command by command, in pairs: make bench-builds OLD=FOLDER NEW=FOLDER
bench-builds:
	@test -x "$(OLD)/valise" -a -x "$(NEW)/valise" || { \
		echo "usage: make bench-builds OLD=FOLDER NEW=FOLDER [ROUNDS=5] [COMMANDS='\"key change\"']" >&2; exit 64; }
	@python3 Benchmarks/builds.py "$(OLD)" "$(NEW)" $(ROUNDS) $(COMMANDS)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Fuzz/Sources Fuzz/Tests

# The texts by a dictionary and Documentation/words.dic; a part of `make test`.
spelling: setup-tests
	@Scripts/check-spelling.sh

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Fuzz/Sources Fuzz/Tests

man:
	$(SWIFT) build --product valise
	$(SWIFT) build --product valise-relay
	@Scripts/make-man.sh "$$($(SWIFT) build --show-bin-path)/valise"

# The JSON Schemas as a source of the program, after a change of Documentation/schemas.
schemas:
	@python3 Scripts/embed-schemas.py

# Every example of the manual pages, run with the release.
examples: setup-tests build
	@python3 Scripts/examples.py "$(RELEASE_FOLDER)"

install: build
	@Scripts/install.sh "$(RELEASE_FOLDER)/valise" "$(DESTDIR)$(PREFIX)"

# The Debian packages, in dist/. DEB_PREBUILT=FOLDER takes the programs of an earlier release build.
deb: setup-package $(if $(DEB_PREBUILT),,build)
	@Scripts/make-deb.sh "$(or $(DEB_PREBUILT),$(RELEASE_FOLDER))" dist

# They are installed, used and purged in a fresh Debian of its own. As root, or where users may have namespaces.
test-deb: deb
	@Scripts/test-deb.sh dist

clean:
	$(SWIFT) package clean
