#!/bin/sh
# Gets restic's own server, of which Debian 12 has no package, from Debian's newer suite: the package is downloaded and
# unpacked into the cache, and not installed. serve.py finds it there.
set -eu
umask 022
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise
! command -v rest-server > /dev/null || exit 0
[ ! -d "$cache/rest-server" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main' \
    > "$work/sources.list"
apt() {
    apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root "$@"
}
apt update
(cd "$work" && apt download restic-rest-server)
mkdir -p "$cache"
rm -rf "$cache/rest-server.new"
dpkg -x "$work"/restic-rest-server_*.deb "$cache/rest-server.new"
mv "$cache/rest-server.new" "$cache/rest-server"
