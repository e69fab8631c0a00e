#!/bin/sh
# Gets what judges stores of tcfs from PyPI into a Python environment in the cache: BLAKE3, Argon2, age, FastCDC v2020 and
# ChaCha20-Poly1305, none of which is of libblake3, libargon2 or libsodium as Valise is. tcfs_reader.py finds it there.
#
# pyfastcdc cuts as the crate does that tcfs uses; PyPI's fastcdc is of another version of the algorithm and does not.
set -eu
umask 022
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise
place=$cache/store-peers
[ ! -d "$place" ] || exit 0
for python in python3 /usr/bin/python3; do ! "$python" -c 'import pip' 2> /dev/null || break; done
mkdir -p "$cache"
rm -rf "$place.new"
trap 'rm -rf "$place.new"' EXIT
"$python" -m venv --without-pip "$place.new"
"$python" -m pip --python "$place.new/bin/python" install -q --disable-pip-version-check --no-warn-script-location \
    --no-compile --only-binary :all: 'blake3==1.0.11' 'argon2-cffi==25.1.0' 'argon2-cffi-bindings==26.2.0' \
    'pyrage==1.4.0' 'pyfastcdc==0.3.1' 'cryptography==50.0.2'
# Asked where no file has the name of one of them.
(cd / && "$place.new/bin/python" -c 'import argon2, blake3, cryptography.hazmat.primitives.ciphers.aead, pyfastcdc, pyrage')
mv "$place.new" "$place"
