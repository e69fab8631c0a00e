#!/bin/sh
# Gets newer restics than the system's from Debian's newer suites into the cache, each into a folder named by its version;
# backup-peers.py finds them there. The system's own stays what it is.
#
#   get-restic.sh           the newest one, or else the one of a suite that changes no more
#   get-restic.sh --check   whether one is there
#   get-restic.sh --all     both
#
# Their programs need nothing but a C library of Debian 12 or newer. Each is the package of this digest and no other.
set -eu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise/restic
case ${1-} in --check)
    for program in "$cache"/*/usr/bin/restic; do [ ! -x "$program" ] || exit 0; done
    exit 1
esac
here=$(dirname "$0")
result=1
while read -r suite package architecture digest; do
    [ "$architecture" = "$(dpkg --print-architecture)" ] || continue
    version=${package#*=}
    folder=$cache/${version%%-*}
    if [ -d "$folder" ] || "$here/get-package.sh" "$suite" "$package" "$folder" "$digest" < /dev/null; then
        # It runs here, and is what it is called.
        "$folder/usr/bin/restic" version | grep "^restic ${folder##*/} " || { rm -rf "$folder"; continue; }
        result=0
        [ "${1-}" = --all ] || break
    fi
done << 'END'
sid restic=0.19.1-1 amd64 97711c3125b5a65788a7e99fce8eb25f9a543fa8d83c4d7e54a5febe939a0f9e
trixie restic=0.18.0-1+b4 amd64 4888fb20b272a28b84ac39171b7d7f0d9a58c2aeae51ec28e54684648d66e12c
END
exit $result
