#!/bin/sh
# Generates the manual pages from the programs' own parsers and from Documentation/examples and Documentation/manual:
#
#   make-man.sh [--check] VALISE
#
# VALISE is the program; valise-relay is beside it.
# With --check the pages are compared with those in man/; a difference is a failure, and a page that no package has.
set -eu
check=no
if [ "$1" = --check ]; then check=yes; shift; fi
valise=$1
root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/man
if [ $check = yes ]; then
    target=$(mktemp -d)
    trap 'rm -rf "$target"' EXIT
fi
mkdir -p "$target"
rm -f "$target"/*.[157]
for program in "$valise" "$(dirname "$valise")/valise-relay"; do
    "$program" --experimental-dump-help | python3 "$root/Scripts/man-pages.py" "$target"
done
python3 "$root/Scripts/man-pages.py" "$target" --hand-written
if [ $check = yes ]; then
    diff -ru "$root/man" "$target" || { echo "man/ is out of date: run 'make man'" >&2; exit 1; }
    patterns=$(grep -h '^usr/share/man/' "$root"/Packaging/debian/*.install)
    for page in "$root"/man/*; do
        installed=usr/share/man/man${page##*.}/${page##*/}
        packaged=no
        for pattern in $patterns; do
            # shellcheck disable=SC2254  # a pattern
            case $installed in $pattern) packaged=yes ;; esac
        done
        [ $packaged = yes ] || { echo "Packaging/debian/*.install lacks $installed" >&2; exit 1; }
    done
fi
