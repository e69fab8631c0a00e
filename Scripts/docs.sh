#!/bin/sh
# Builds the documentation of the library as a site. A warning is an error.
#
#   Scripts/docs.sh [FOLDER]      docs without; a web server shows it: python3 -m http.server -d docs
set -eu
cd "$(dirname "$0")/.."
folder=${1:-docs}
mkdir -p "$folder"
# The plugin is in the package only when it is asked for.
export VALISE_DOCS=1
"${SWIFT:-swift}" package --allow-writing-to-directory "$folder" generate-documentation --product Valise \
    --enable-experimental-combined-documentation --warnings-as-errors --transform-for-static-hosting \
    --output-path "$folder"
