#!/bin/sh
# Builds and runs a program of somebody else's that uses the library by `import Valise` alone (Tests/Consumer).
#
#   Scripts/test-consumer.sh ARGUMENT…    arguments of `swift build`
#
# In the folder of the package's own build: with the same arguments nothing of the library is compiled twice.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
build() { "$swift" build --package-path Tests/Consumer --scratch-path .build "$@"; }
build "$@"
"$(build "$@" --show-bin-path)/Consumer" "$work"
