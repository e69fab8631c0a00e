#!/bin/sh
# Builds libblake3: setup.sh's part for systems that are older than Debian's package of it, libblake3-0.
#
#   Scripts/build-blake3.sh FOLDER   makes FOLDER/lib, to be copied to /usr/local
#
# Needs no root. The C sources are in Debian's package for Rust, librust-blake3-dev, which is downloaded and unpacked, not
# installed: on Debian 12 and 13 that of Debian 13, elsewhere that of the system. apt checks the signatures as always.
set -eu

output=$1
scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"                      # apt downloads as a user of its own

fail() { echo "build-blake3: $*" >&2; exit 1; }
logged() { "$@" > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "failed: $*"; }; }

package=librust-blake3-dev
# shellcheck source=/dev/null
system=$(. /etc/os-release 2> /dev/null && echo "${ID:-}") || system=unknown
if [ "$system" = debian ]; then
    logged "$scripts/servers/get-package.sh" trixie $package "$work/tree"
else
    mkdir "$work/download"
    [ "$(id -u)" != 0 ] || chown _apt "$work/download" # lets apt keep that user, without a warning
    cd "$work/download"
    logged apt-get -qq download $package
    logged dpkg -x ./*.deb "$work/tree"
fi
cd "$work"/tree/usr/share/cargo/registry/blake3-*/c || fail "$package has no C sources"

set -- blake3.c blake3_dispatch.c blake3_portable.c
case $(cc -dumpmachine) in
    x86_64-*)
        for instructions in sse2 sse41 avx2 avx512; do set -- "$@" blake3_${instructions}_x86-64_unix.S; done ;;
    aarch64-*) set -- "$@" blake3_neon.c ;;
esac
mkdir -p "$output/lib"
# Debian's soname. What the assembler makes says nothing of the stack, which is never to be executable.
logged cc -O2 -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -shared -Wl,-soname,libblake3.so.0 -Wl,-Bsymbolic \
    -Wl,-z,relro,-z,now,-z,noexecstack "$@" -o "$output/lib/libblake3.so.0"

# It hashes as it should: 1025 bytes are the fewest of more than one chunk of the algorithm.
cat > "$work/probe.c" << 'END'
#include "blake3.h"
#include <stdio.h>
int main(void) {
    static unsigned char input[1025], digest[BLAKE3_OUT_LEN];
    for (int i = 0; i < 1025; i++) input[i] = (unsigned char)(i % 251);
    blake3_hasher hasher;
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, input, sizeof input);
    blake3_hasher_finalize(&hasher, digest, sizeof digest);
    for (int i = 0; i < BLAKE3_OUT_LEN; i++) printf("%02x", digest[i]);
    return puts(blake3_version()) < 0;
}
END
logged cc -I. "$work/probe.c" -o "$work/probe" "$output/lib/libblake3.so.0" -Wl,-rpath,"$output/lib"
said=$("$work/probe")
expected=d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444
[ "${said#"$expected"}" != "$said" ] || fail "what was built does not hash as BLAKE3 does: $said"
echo "libblake3 ${said#"$expected"}"
