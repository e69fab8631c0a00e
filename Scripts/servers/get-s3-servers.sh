#!/bin/sh
# Gets S3 servers from PyPI into a Python environment in the cache, with a hundred megabytes of what they need: moto, and
# OpenStack Swift with s3api. serve.py finds them there.
set -eu
umask 022
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise
place=$cache/s3-servers
[ ! -d "$place" ] || exit 0
for python in python3 /usr/bin/python3; do ! "$python" -c 'import pip' 2> /dev/null || break; done
mkdir -p "$cache"
rm -rf "$place.new"
trap 'rm -rf "$place.new"' EXIT
"$python" -m venv --without-pip "$place.new"
"$python" -m pip --python "$place.new/bin/python" install -q --disable-pip-version-check --no-warn-script-location \
    --no-compile --only-binary :all: 'swift==2.38.3' 'moto[s3]==5.2.1' 'flask==3.1.3' 'flask-cors==6.0.5'
# Asked where no file has the name of one of them.
(cd / && "$place.new/bin/python" -c 'import swift.common.middleware.s3api, moto.server')
mv "$place.new" "$place"
