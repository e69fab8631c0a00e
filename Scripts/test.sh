#!/bin/sh
# Runs the tests, and says at the end what failed: thousands of lines above it nobody finds it.
#
#   Scripts/test.sh              everything, and the soaks in their short form
#   Scripts/test.sh unit         what needs no other process and no socket
#   Scripts/test.sh ARGUMENT…    arguments of `swift test`, such as --filter and a part of the names
#
# VALISE_PROGRAMS is the folder of what was built; else it is where `swift build` says.
#
# Two lanes run side by side. What waits for the network has a lane of its own and goes first where the processor is scarce:
# in one process hundreds of others would keep what waits for an answer from ever seeing it in time. All lanes run few tests
# at a time: Swift Testing would begin every test at once. What measures the memory of its process runs without any others.
# What needs neither lane is taken by the one that is free.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

usual_width=4
width=$usual_width
# These wait for the programs that they start.
commands_width=8
memory='HostileClientTests'
network='^(StorageTests|PostgresTests|TLSTests|RelayTests|TransferTests|MoveTests)\.'
accounts='^(AccountTests|MountTests|OperationTests|RelayStoreTests)\.'
units='^(ArchitectureTests|GroundTests|EngineTests|FormatTests|ContentStoreTests|SessionStoreTests|SessionLogTests|CompositionTests|ArchiveTests|RemedyTests|FuzzTests)\.'
commands='^CommandLineTests\.'
transfers='^CommandLineTests\..*(FileSend|FileReceive|FileLink|JobsTransfer|MoveCommand|MoveResuming|MoveTerminal)'

# The interpreter itself: what stands for it where several are installed takes longer to start than Python does.
python=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))') && export PATH="$python:$PATH"

# Nothing of a test has to outlive it: in memory nobody waits for a disk.
if [ -z "${TMPDIR-}" ] && [ "$(df -Pk /dev/shm 2> /dev/null | awk 'NR == 2 { print $4 }')" -gt 4000000 ] 2> /dev/null; then
    export TMPDIR=/dev/shm
fi

# What hangs is ended, and said, long before whoever waits for all of it gives up.
limit=
if [ -z "${VALISE_SOAK-}" ] && command -v timeout > /dev/null; then
    limit='timeout --foreground --signal=ABRT --kill-after=30 2400'
fi

patience=
step() { # a command of a lane; remembers a failure, and what was said last
    before=$(wc -c < "$work/$lane")
    begun=$(date +%s)
    times > "$work/$lane-before"
    said=$(echo "$*" | sed 's|[^ ]*/||g')
    $patience $limit "$@" 2>&1
    code=$?
    times > "$work/$lane-after"
    # Of the processor, too: user and system, of all that the step waited for.
    used=$(awk 'FNR == 2 { gsub(/[ms]/, " "); sum = $1 * 60 + $2 + $3 * 60 + $4 - sum } END { printf "%.0f", sum }' \
        "$work/$lane-before" "$work/$lane-after")
    echo "$(($(date +%s) - begun)) s, $used s of the processor: $lane lane, $said" | cut -c1-160 >> "$work/times"
    [ $code = 0 ] && return
    echo $code > "$work/status"
    tail -c +$((before + 1)) "$work/$lane" > "$work/$lane-said"
    {
        echo "failed: $said"
        # The names of tests and their issues with their values, and where a process ended without a word.
        grep -aE '✘|↳|recorded an issue|error: |Fatal error|unexpected signal|VALISE_SEED' "$work/$lane-said" \
            | grep -avE '↳ (Testing Library|Target Platform)' | tail -n 40
        tail -n 5 "$work/$lane-said"
        # Of a process that was ended: what it was at.
        [ $code -lt 124 ] || awk '
            match($0, / Test ".*" started\.$/) { running[substr($0, RSTART + 6, RLENGTH - 15)]++ }
            / Test ".*(passed|failed) after / { sub(/.* Test /, ""); sub(/" [^"]*$/, "\""); running[$0]-- }
            END { for (name in running) if (running[name] > 0) print "did not end: " name }' "$work/$lane-said"
    } > "$work/$lane-failure"
    cat "$work/$lane-failure" >> "$work/failures"
}

swift=${SWIFT:-swift}
programs=${VALISE_PROGRAMS-$("$swift" build --show-bin-path)} || exit
bundle=$programs/valisePackageTests.xctest

some() { # of the tests, of what is built
    if [ "$(uname)" = Linux ]; then
        # Of the package manager itself only one may run at a time.
        step "$bundle" --testing-library swift-testing --experimental-maximum-parallelization-width $width "$@"
    else
        step "$swift" test --skip-build --experimental-maximum-parallelization-width $width "$@"
    fi
}

tests() { some --filter "$@"; }

soak() { step python3 "Scripts/soak-$1.py" "$programs" "$2" "$3"; }

network_lane() {
    tests "$memory"
    tests "$network" --skip "$memory"
    soak transfers 10 20
    soak relay 100 10
    step python3 Scripts/soak-relays.py "$programs" 600 20 --every 0.7 --quota 60mb
    soak relay-moves 30 2
    soak move 5 1
    # Once more with a relay as strict as the official one.
    export VALISE_PEER=strict
    tests "$transfers"
    soak transfers 10 20
    unset VALISE_PEER
    rest
}

command_lane() {
    patience='nice -n 10'
    mkdir "$work/documents"
    export VALISE_DOCUMENTS="$work/documents"
    width=$commands_width
    tests "$commands"
    width=$usual_width
    unset VALISE_DOCUMENTS
    step python3 Scripts/check-schemas.py "$programs" "$work/documents"
    rest
}

# What can run at any time, the longest first: so that the lanes end together, whichever is the faster one today.
rest() {
    patience='nice -n 10'
    one_of_the_rest accounts tests "$accounts"
    one_of_the_rest units tests "$units"
    one_of_the_rest transcripts step python3 Scripts/transcripts.py "$programs/valise" \
        Tests/5-Commands/Commands/Fixtures/transcripts --check
    one_of_the_rest compared step python3 Scripts/compare-transcripts.py --check
    one_of_the_rest browser step python3 Scripts/browser/check.py "$programs"
    one_of_the_rest readers step python3 Scripts/check-exports.py "$programs"
    one_of_the_rest widths step python3 Scripts/check-widths.py "$programs"
    one_of_the_rest examples step python3 Scripts/examples.py "$programs"
    one_of_the_rest archives soak archives 20 3
    one_of_the_rest media soak media 5 100
    one_of_the_rest exports soak exports 2 300
    one_of_the_rest chats soak chats 4 300
    one_of_the_rest together step python3 Scripts/backup-together.py "$programs" 1
    one_of_the_rest backups soak backups 12 5
    one_of_the_rest stores soak stores 20 8
    one_of_the_rest store-servers step python3 Scripts/store-servers.py "$programs"
    one_of_the_rest week step Scripts/backup-week.sh "$programs"
    one_of_the_rest peers step python3 Scripts/backup-peers.py "$programs"
    one_of_the_rest servers step python3 Scripts/backup-servers.py "$programs"
    one_of_the_rest docs step Scripts/check-docs.sh "$programs"
    one_of_the_rest spelling step Scripts/check-spelling.sh
    one_of_the_rest man step Scripts/make-man.sh --check "$programs/valise"
    one_of_the_rest figures step python3 Scripts/figures.py --check
    one_of_the_rest schemas step python3 Scripts/embed-schemas.py --check
}

one_of_the_rest() { # unless the other lane has taken it
    mkdir "$work/taken-$1" 2> /dev/null || return 0
    shift
    "$@"
}

lanes() { # both at the same time; the first one is served first
    : > "$work/first"
    : > "$work/second"
    tail -q -n +1 -f "$work/first" "$work/second" &
    shown=$!
    (lane=first && "$1") > "$work/first" 2>&1 &
    first=$!
    (lane=second && "$2") > "$work/second" 2>&1 &
    second=$!
    wait $first
    wait $second
    # What is written last is shown within a second.
    sleep 1
    kill $shown
}

started=$(date +%s)
case ${1-} in
    '') lanes network_lane command_lane ;;
    unit)
        export VALISE_UNIT=1
        first_units() { tests "$accounts"; }
        second_units() { tests "$units"; }
        lanes first_units second_units
        ;;
    *)
        lane=first
        : > "$work/first"
        some "$@" | tee "$work/first"
        ;;
esac
if [ -f "$work/times" ]; then
    echo
    echo "What took longest:"
    sort -rn "$work/times" | head -n 12
fi
echo "in $(($(date +%s) - started)) s"
[ -f "$work/status" ] || exit 0

echo
echo "What failed:"
cat "$work/failures"
exit "$(cat "$work/status")"
