#!/bin/sh
# Checks links and parameters in the documentation of what is built already, in less than a minute: nothing is built.
# `make docs` makes the site. A warning is an error.
#
#   Scripts/check-docs.sh [FOLDER]      FOLDER: of the programs; that of a debug build without
set -eu
cd "$(dirname "$0")/.."
programs=${1:-$("${SWIFT:-swift}" build --show-bin-path)}
tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
set --
# Two folders above the programs, which may be a link: the same for a build with a folder of its own.
checkouts=$(dirname "$(dirname "$(readlink -f "$programs")")")/checkouts
c_modules=$(find -L Sources "$checkouts" -name module.modulemap -not -path "*/Tests/*")
for map in "$programs"/*.build/module.modulemap $c_modules; do
    set -- "$@" -Xcc "-fmodule-map-file=$map" -I "$(dirname "$map")"
done
target=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -n 1)
count=0
for catalog in Sources/*/*/Documentation.docc; do
    folder=$(basename "$(dirname "$catalog")")
    module=Valise${folder#Valise}
    [ -e "$programs/Modules/$module.swiftmodule" ] || continue
    count=$((count + 1))
    # All at the same time: each waits most of the time.
    (
        mkdir -p "$work/$module"
        "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$programs/Modules" "$@" -target "$target" \
            -minimum-access-level public -output-dir "$work/$module" \
            && "$tools/docc" convert "$catalog" --additional-symbol-graph-dir "$work/$module" \
                --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
                --output-path "$work/$module-site" --warnings-as-errors || touch "$work/failed"
    ) > "$work/$module.log" 2>&1 &
done
wait
cat "$work"/*.log
[ "$count" -gt 20 ] || { echo "only $count modules were found" >&2; exit 1; }
[ ! -e "$work/failed" ]
