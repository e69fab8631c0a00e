#!/bin/sh
# Runs the tests, and says at the end what failed: thousands of lines above it nobody finds it.
#
#   Scripts/test.sh [ARGUMENT…]        arguments of `swift test`; without any all tests
#
# Those that wait for the network run by themselves, and all of them few at a time: Swift Testing would begin every test at
# once, on as many threads as there are cores, and hundreds that use theirs would keep one that waits for an answer from
# ever seeing it in time. Those that measure the memory of their process run without any others.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
memory='HostileClientTests'
width=4
transfers='CommandLineTests.*(FileSend|FileReceive|FileLink|JobsTransfer|MoveCommand|MoveResuming|MoveTerminal)'
network='TLSChannelTests|XFTPClientTests|XFTPRelayTests|FileTransfersTests|DeviceMigrationTests'

run() { # some of the tests; remembers a failure
    { "${SWIFT:-swift}" test --skip-build "$@" 2>&1 || echo $? > "$work/status"; } | tee -a "$work/log"
}

if [ $# -gt 0 ]; then
    run "$@"
else
    run --filter "$memory"
    run --filter "$network" --skip "$memory" --experimental-maximum-parallelization-width "$width"
    run --skip "$network" --experimental-maximum-parallelization-width "$width"
    # Transfers and moves once more, with a relay as strict as the official one.
    (export VALISE_PEER=strict; run --filter "$transfers" --experimental-maximum-parallelization-width "$width")
fi
[ -f "$work/status" ] || exit 0

echo
echo "What failed:"
# A name, its issues with their values, and where a process ended without a word.
grep -aE '^✘|^↳|recorded an issue|error: |Fatal error|unexpected signal|VALISE_SEED' "$work/log" | tail -n 60
exit "$(cat "$work/status")"
