#!/bin/sh
# Builds and runs a program of somebody else's that uses the library by `import Valise` alone (Tests/Consumer).
#
#   Scripts/test-consumer.sh [FOLDER]      where its build is kept; .build/consumer without
set -eu
cd "$(dirname "$0")/.."
scratch=${1:-.build/consumer}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${SWIFT:-swift}" run --package-path Tests/Consumer --scratch-path "$scratch" Consumer "$work"
