#!/bin/sh
# Installs what Valise builds on: libarchive, libsodium, OpenSSL and SQLCipher 4.5 or newer.
#
#   Scripts/setup.sh                  install what is missing; does nothing when all is there
#   Scripts/setup.sh --check          only say what is missing (exit 1 then)
#   Scripts/setup.sh --test-tools     also what the tests run: zip, unzip, bsdtar, 7z, shellcheck, python3 …
#
# For Debian 12 and 13 and Ubuntu 24.04, as root or with sudo.
set -eu

check_only=no
test_tools=no
for argument; do
    case $argument in
        --check) check_only=yes ;;
        --test-tools) test_tools=yes ;;
        *) echo "setup: unknown option $argument" >&2; exit 64 ;;
    esac
done

scripts=$(cd "$(dirname "$0")" && pwd)

say() { echo "setup: $*" >&2; }

has_library() { command -v pkg-config > /dev/null && pkg-config --exists "$@" 2> /dev/null; }

# Asked of the library itself: the version in sqlcipher.pc is SQLite's in some distributions.
has_sqlcipher() {
    has_library sqlcipher && command -v cc > /dev/null || return 1
    probe=$(mktemp -d)
    cat > "$probe/probe.c" <<'END'
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    sqlite3 *db;
    sqlite3_stmt *s;
    int major = 0, minor = 0;
    if (sqlite3_open(":memory:", &db) || sqlite3_prepare_v2(db, "PRAGMA cipher_version", -1, &s, 0)) return 1;
    if (sqlite3_step(s) != SQLITE_ROW) return 1;
    sscanf((const char *)sqlite3_column_text(s, 0), "%d.%d", &major, &minor);
    return major > 4 || (major == 4 && minor >= 5) ? 0 : 1;
}
END
    # shellcheck disable=SC2046
    if cc $(pkg-config --cflags sqlcipher) "$probe/probe.c" -o "$probe/probe" $(pkg-config --libs sqlcipher) \
        > /dev/null 2>&1 && "$probe/probe"; then found=0; else found=1; fi
    rm -rf "$probe"
    return $found
}

# The packages that are missing, by the distribution's names.
packages=
want() { packages="$packages $1"; }
if ! command -v pkg-config > /dev/null; then want pkg-config; fi
if ! command -v cc > /dev/null; then want gcc; want libc6-dev; fi
if ! command -v make > /dev/null; then want make; fi
if ! has_library libarchive; then want libarchive-dev; fi
if ! has_library libsodium; then want libsodium-dev; fi
if ! has_library libcrypto; then want libssl-dev; fi
if [ $test_tools = yes ]; then
    for tool in zip unzip python3 shellcheck gcc; do command -v $tool > /dev/null || want $tool; done
    command -v bsdtar > /dev/null || want libarchive-tools
    command -v 7z > /dev/null || want p7zip-full
    command -v man > /dev/null || want man-db
fi

sqlcipher=there
if ! has_sqlcipher; then
    candidate=$(apt-cache policy libsqlcipher-dev 2> /dev/null | sed -n 's/ *Candidate: //p')
    # shellcheck source=/dev/null
    system=$(. /etc/os-release 2> /dev/null && echo "${ID:-unknown}${VERSION_ID:-}") || system=unknown
    case $system:$candidate in
        debian12:*) sqlcipher=source ;;
        *:3.* | *:4.[0-4].* | *:4.[0-4]-*) sqlcipher=source ;;
        *) sqlcipher=package; want libsqlcipher-dev ;;
    esac
fi
if [ $test_tools = yes ] && [ $sqlcipher != source ] && ! command -v sqlcipher > /dev/null; then
    want sqlcipher
fi
if [ $sqlcipher = source ]; then
    for tool in tclsh dpkg-source; do
        command -v $tool > /dev/null && continue
        case $tool in tclsh) want tcl ;; *) want dpkg-dev ;; esac
    done
fi

if ! command -v swift > /dev/null; then
    say "Swift 6.3 or newer is needed to build. Debian 13 has it in the package 'swiftlang';"
    say "for other systems see https://www.swift.org/install/linux/"
    swift=missing
else
    swift=there
fi

if [ -z "$packages" ] && [ $sqlcipher = there ]; then
    [ $swift = there ] || exit 1
    exit 0
fi

say "missing:$packages$([ $sqlcipher = source ] && echo ' sqlcipher (>= 4.5, built from Debian 13'"'"'s source)')"
[ $check_only = no ] || exit 1

if ! command -v apt-get > /dev/null; then
    say "this is no Debian or Ubuntu. Install with your own package manager: pkg-config, libarchive,"
    say "libsodium, OpenSSL 3 and SQLCipher 4.5 or newer, each with its headers, then run this again"
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root() { env DEBIAN_FRONTEND=noninteractive "$@"; }
elif command -v sudo > /dev/null; then
    as_root() { sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
else
    say "neither root nor sudo: run 'Scripts/setup.sh' once as root"
    exit 1
fi

say "installing these packages, and nothing else:$packages"
as_root apt-get -qq update
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086
    as_root apt-get -qq install -y --no-install-recommends $packages > /dev/null
fi
if [ $sqlcipher = source ]; then
    say "building SQLCipher from Debian 13's source package into /usr/local (about a minute)"
    as_root "$scripts/build-sqlcipher.sh"
fi
has_sqlcipher || { say "SQLCipher 4.5 or newer is still not usable; see the messages above"; exit 1; }
[ $swift = there ] || exit 1
say "done"
