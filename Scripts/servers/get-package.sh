#!/bin/sh
# Gets a package of another suite of Debian than this system's: it is downloaded and unpacked, and not installed.
#
#   get-package.sh SUITE PACKAGE[=VERSION] FOLDER [SHA256]
#
# It comes from the mirror that this system's own packages come from, and apt verifies Debian's signatures. With a digest it is
# that package and no other. FOLDER appears when it is complete.
set -eu
umask 022
suite=$1 package=$2 folder=$3 digest=${4-}
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null |
    sed -nE '/^ *#/d; s,.*(https?://[^] ]*/debian)/?( .*)?$,\1,p' | head -n 1)
[ -n "$mirror" ] || { echo "no mirror of Debian is among this system's sources" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"
# The lists of a suite are kept for the other packages of the same run.
lists=${VALISE_APT_LISTS:-$work}/lists-$suite
mkdir -p "$lists/partial" "$work/cache/archives/partial"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$work/sources.list"
apt() {
    apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o "Dir::State::lists=$lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root "$@"
}
apt update
(cd "$work" && apt download "$package")
if [ -n "$digest" ]; then
    echo "$digest $(echo "$work"/*.deb)" | sha256sum --check --status ||
        { echo "$package has another digest than the expected one" >&2; exit 1; }
fi
mkdir -p "${folder%/*}"
rm -rf "$folder.new"
dpkg -x "$work"/*.deb "$folder.new"
mv "$folder.new" "$folder"
