#!/bin/sh
# Runs the fuzzers over the kept corpora. What is new stays in .build/fuzz-finds, what fails as well.
#
#   Fuzz/run.sh [SECONDS [TARGET…]]      all that Package.swift lists, 20 minutes each, where nothing is said
#   Fuzz/run.sh --merge [TARGET…]        takes what is new into Fuzz/Corpus, as few and small files as show all of it
#   FUZZ_SEED=1 Fuzz/run.sh …             the same choices each time, as far as the time goes
#   FUZZ_SANITIZER=address Fuzz/run.sh … the same with AddressSanitizer: for our C, and pointers given to C
#
# A run fails for a crash, a broken promise, an input that takes longer than 10 s, or more than 256 MiB of memory.
# libFuzzer comes with the Swift toolchain.
set -eu
cd "$(dirname "$0")/.."

seconds=1200
merge=no
case ${1-} in
    --merge) merge=yes; shift ;;
    [0-9]*) seconds=$1; shift ;;
esac
[ $# -gt 0 ] || set -- zip pages json scan wire description store content markdown template compose tcfs session
for target; do
    [ -d "Fuzz/Sources/fuzz-$target" ] || { echo "fuzz: there is no target $target" >&2; exit 64; }
done

sanitizer=fuzzer
folder=.build/fuzz
memory=256
if [ -n "${FUZZ_SANITIZER-}" ]; then
    sanitizer=fuzzer,$FUZZ_SANITIZER
    folder=.build/fuzz-$FUZZ_SANITIZER
    memory=1024                            # the sanitizer's own
fi
build() {
    VALISE_FUZZ=1 ${SWIFT:-swift} build --scratch-path "$folder" -c release -Xswiftc -enable-testing \
        -Xswiftc "-sanitize=$sanitizer" -Xcc "-fsanitize=fuzzer-no-link${FUZZ_SANITIZER:+,$FUZZ_SANITIZER}" "$@"
}
# All at once: to plan a build takes as long as most of the fuzzers.
if [ $# -eq 13 ]; then build; else for target; do build --product "fuzz-$target"; done; fi
programs=$(build --show-bin-path)

finds=$PWD/.build/fuzz-finds
VALISE_FUZZ_SCRATCH=$(mktemp -d -p /dev/shm valise-fuzz.XXXXXX 2> /dev/null || mktemp -d)
export VALISE_FUZZ_SCRATCH
export SWIFT_BACKTRACE=enable=no           # libFuzzer says where it was
trap 'rm -rf "$VALISE_FUZZ_SCRATCH"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

longest() { # the largest input that is tried
    case $1 in
        json | wire | description | store | content | markdown | template | compose | tcfs | session) echo 4096 ;;
        *) echo 20480 ;;
    esac
}

fuzz() { # one target; its last lines say how far it came
    mkdir -p "$finds/$1"
    if "$programs/fuzz-$1" -seed="${FUZZ_SEED:-0}" -max_total_time="$seconds" -rss_limit_mb=$memory -timeout=10 \
        -max_len="$(longest "$1")" -dict="Fuzz/Dictionaries/$1.dict" -print_final_stats=1 -verbosity=1 \
        -artifact_prefix="$finds/$1-" "$finds/$1" "Fuzz/Corpus/$1" > "$finds/$1.log" 2>&1
    then
        grep -aE '^(Done|stat::)' "$finds/$1.log" | sed "s/^/fuzz-$1: /"
        grep -aE ' cov: ' "$finds/$1.log" | tail -1 | sed "s/^/fuzz-$1: /"
    else
        grep -avE 'REDUCE|NEW' "$finds/$1.log" | tail -40 >&2
        echo "fuzz-$1: failed; see $finds/$1.log" >&2
        echo "fuzz-$1: try it again with: $programs/fuzz-$1 $(ls -t "$finds/$1"-* 2> /dev/null | head -1)" >&2
        return 1
    fi
}

merge() {
    mkdir -p "$finds/$1"
    new=$(mktemp -d -p Fuzz/Corpus "$1.XXXXXX")
    "$programs/fuzz-$1" -set_cover_merge=1 -use_counters=0 -max_len="$(longest "$1")" -rss_limit_mb=$memory -timeout=10 \
        "$new" "Fuzz/Corpus/$1" "$finds/$1" > "$finds/$1.log" 2>&1
    chmod 755 "$new"
    rm -rf "Fuzz/Corpus/$1"
    mv "$new" "Fuzz/Corpus/$1"
    echo "fuzz-$1: $(ls "Fuzz/Corpus/$1" | wc -l) inputs, $(du -sb "Fuzz/Corpus/$1" | cut -f1) bytes"
}

if [ $merge = yes ]; then
    for target; do merge "$target"; done
    exit
fi

# Two lanes: each fuzzer is one thread, but for what the library itself spreads.
lane() { # every second one, from the first or the second on
    status=0
    number=$1
    shift
    for target; do
        number=$((number + 1))
        [ $((number % 2)) -eq 0 ] || fuzz "$target" || status=1
    done
    return $status
}

lane 0 "$@" &
one=$!
failed=0
lane 1 "$@" || failed=1
wait $one || failed=1
exit $failed
