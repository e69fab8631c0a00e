#!/bin/sh
# Gets restic's own server, of which Debian 12 has no package, from Debian's newer suite into the cache, where serve.py looks.
set -eu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise
! command -v rest-server > /dev/null || exit 0
[ ! -d "$cache/rest-server" ] || exit 0
"$(dirname "$0")/get-package.sh" sid restic-rest-server "$cache/rest-server"
