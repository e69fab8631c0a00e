#!/bin/sh
# Installs what Valise builds on: zlib, libdeflate, libarchive, libcurl, libzstd, libsodium, OpenSSL, zxcvbn,
# intel-ipsec-mb, and
# SQLCipher 4.5 or newer.
#
#   Scripts/setup.sh                    install what is missing; does nothing when all is there
#   Scripts/setup.sh --with-test-tools  also what tests and benchmarks run: zip, unzip, bsdtar, 7z, pigz, python3, chromium …,
#                                       and what the program loads when it needs it: libvips, libblake3, libargon2, libfuse3,
#                                       libpq with PostgreSQL, without a server that runs
#   Scripts/setup.sh --with-package-tools  what makes and tests the Debian packages: debhelper, lintian …
#   Scripts/setup.sh --check            only say what is missing, with exit code 1; goes with the others
#
# For Debian 12 and 13 and Ubuntu 24.04, as root or as a user who may use sudo.
set -eu
umask 022                              # what is built here is read by every user
export LC_ALL=C                        # apt's answers are read below
PATH=$PATH:/usr/sbin:/sbin             # ldconfig, also after a plain `su`

oldest_sqlcipher=4.5
check_only=no
test_tools=no
package_tools=no
for argument; do
    case $argument in
        --check) check_only=yes ;;
        --with-test-tools) test_tools=yes ;;
        --with-package-tools) package_tools=yes ;;
        *)
            echo "setup: unknown option $argument (there are --check, --with-test-tools and" \
                "--with-package-tools)" >&2
            exit 64
            ;;
    esac
done

scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
builder=
no_server=
trap '[ -z "$builder" ] || kill "$builder" 2> /dev/null || :; [ -z "$no_server" ] || as_root rm -f "$no_server"; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"                      # apt downloads as a user of its own

say() { echo "setup: $*" >&2; }
has() { command -v "$1" > /dev/null; }
can_be_root() { [ "$(id -u)" = 0 ] || has sudo; }
as_root() {
    if [ "$(id -u)" = 0 ]; then env DEBIAN_FRONTEND=noninteractive "$@"; else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi
}
# What a program can load, by a regular expression of its name.
can_load() { ldconfig -p | grep -q "$1"; }
# Modules for one Python, the first in the PATH or the system's: the tests take either.
has_modules() {
    for python in python3 /usr/bin/python3; do ! "$python" -c "import $1" 2> /dev/null || return 0; done
    return 1
}
# What Debian has no package of comes from packages of PyPI: that version and no other.
axe=${XDG_CACHE_HOME:-$HOME/.cache}/valise/axe-core/axe.min.js
axe_package='axe-playwright-python==0.1.8'
axe_hash=fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8
has_axe() { [ -s "$axe" ]; }
# The types of the official API, which messages are checked against. They are a peer, and no part of anything.
types=${XDG_CACHE_HOME:-$HOME/.cache}/valise/simplex-chat/types
types_package='simplex-chat==7.0.2'
types_hash=4b0e09e3b827d0b670ac7566ec0922f47d06794556635c201102bf4969350431
has_types() { [ -s "$types/_types.py" ]; }
get_from_pypi() { # a package, its digest, what of it, and as what
    echo "$1 --hash=sha256:$2" > "$work/wheel.txt"
    for python in python3 /usr/bin/python3; do ! "$python" -c "import pip" 2> /dev/null || break; done
    rm -rf "$work/wheel"
    "$python" -m pip download -q --no-deps --only-binary :all: --require-hashes -d "$work/wheel" -r "$work/wheel.txt" &&
        "$python" -m zipfile -e "$work"/wheel/*.whl "$work/wheel" &&
        mkdir -p "${4%/*}" && rm -rf "$4.new" && cp -R "$work/wheel/$3" "$4.new" && rm -rf "$4" && mv "$4.new" "$4"
}
# Debian keeps it out of the PATH.
has_postgres() { has postgres || ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1; }
has_sftp_server() { [ -x /usr/lib/openssh/sftp-server ] || [ -x /usr/libexec/openssh/sftp-server ]; }
# What is for the tests only and comes from elsewhere than this system's packages is put into the cache; without it some tests
# are skipped.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/valise
extras=
want_extra() { extras="$extras $1"; }
describe() { # one of them
    case $1 in
        axe) echo "axe-core, from PyPI's $axe_package, in the cache" ;;
        types) echo "the types of the official API, from PyPI's $types_package, in the cache" ;;
        rest-server) echo "rest-server, from Debian's newer suite, in the cache" ;;
        restic) echo "a newer restic beside the system's, from Debian's newer suite, in the cache" ;;
        s3-servers) echo "moto and OpenStack Swift, from PyPI, in the cache" ;;
        store-peers) echo "blake3, argon2-cffi, pyrage, pyfastcdc and cryptography, from PyPI, in the cache" ;;
        blake3) echo "libblake3, built from the C sources in librust-blake3-dev, in /usr/local" ;;
    esac
}
# A file in use is replaced, never written into: programs that run keep the one they have.
put_into_usr_local() { as_root cp -R --remove-destination "$1/." /usr/local/ && as_root ldconfig; }
get_extras() {
    for extra in $extras; do
        case $extra in
            axe) get_from_pypi "$axe_package" $axe_hash axe_playwright_python/axe.min.js "$axe" ;;
            types) get_from_pypi "$types_package" $types_hash simplex_chat/types "$types" ;;
            blake3) VALISE_APT_LISTS=$work "$scripts/build-blake3.sh" "$work/blake3" && put_into_usr_local "$work/blake3" ;;
            *) VALISE_APT_LISTS=$work "$scripts/servers/get-$extra.sh" ;;
        esac > "$work/$extra.log" 2>&1 ||
            say "not got: $(describe "$extra"): tests will miss it ($(tail -n 1 "$work/$extra.log"))"
    done
}
# Debian 12 has no package of it.
has_rest_server() { has rest-server || has restic-rest-server || [ -d "$cache/rest-server" ]; }
has_s3_servers() { [ -d "$cache/s3-servers" ]; }
has_store_peers() { [ -d "$cache/store-peers" ]; }
has_library() { has pkg-config && pkg-config --exists "$1"; }
at_least() { printf '%s\n%s\n' "$2" "$1" | sort -CV; } # version $1 is $2 or newer

# The library itself is asked, through pkg-config and the loader as in a real build: the version in
# sqlcipher.pc is that of SQLite in Debian's package.
has_sqlcipher() {
    has_library sqlcipher || return 1
    cat > "$work/probe.c" <<'END'
#include <sqlite3.h>
#include <stdio.h>
int main(void) {
    sqlite3 *db;
    sqlite3_stmt *s;
    if (sqlite3_open(":memory:", &db) || sqlite3_prepare_v2(db, "PRAGMA cipher_version", -1, &s, 0)) return 1;
    if (sqlite3_step(s) != SQLITE_ROW) return 1;
    return puts((const char *)sqlite3_column_text(s, 0)) < 0;
}
END
    # shellcheck disable=SC2046 # several options, each a word
    cc -o "$work/probe" $(pkg-config --cflags sqlcipher) "$work/probe.c" $(pkg-config --libs sqlcipher) \
        > /dev/null 2>&1 && found=$("$work/probe" 2> /dev/null) && at_least "${found%% *}" $oldest_sqlcipher
}

# shellcheck source=/dev/null
system=$(. /etc/os-release 2> /dev/null && echo "${ID:-}${VERSION_ID:-}") || system=unknown

packages=
want() { packages="$packages $*"; }
# What SQLCipher is built with, where it is: that takes a minute, in which the others are installed.
first_packages=
want_first() { first_packages="$first_packages $*"; }
echo '#include <stdio.h>' | cc -E - > /dev/null 2>&1 || want_first gcc libc6-dev
has pkg-config || want_first pkg-config
has_library libssl || want_first libssl-dev
has_library libsodium || want libsodium-dev
has_library zlib || want zlib1g-dev
has_library libdeflate || want libdeflate-dev
has_library libarchive || want libarchive-dev
has_library libcurl || want libcurl4-openssl-dev
has_library libzstd || want libzstd-dev
echo '#include <zxcvbn.h>' | cc -E - > /dev/null 2>&1 || want libzxcvbn-dev
if [ "$(uname -m)" = x86_64 ]; then    # it exists for this processor only; elsewhere libcrypto does its work
    echo '#include <intel-ipsec-mb.h>' | cc -E - > /dev/null 2>&1 || want libipsec-mb-dev
fi
sqlcipher=there
if ! has_sqlcipher; then
    sqlcipher=package
    if [ "$system" = debian12 ]; then sqlcipher=source; else want libsqlcipher-dev; fi
fi
if [ $sqlcipher = source ]; then       # it brings the sqlcipher shell too
    has make || want_first make
    has tclsh || want_first tcl
    has dpkg-source || want_first dpkg-dev
    # Early releases of Debian 12 do not know the keys that Debian 13 is signed with.
    [ -e /usr/share/keyrings/debian-archive-trixie-automatic.gpg ] || want_first debian-archive-keyring
fi
if [ $test_tools = yes ]; then
    # pigz and borg are peers in the benchmarks only; all their other programs are here too, or in every Debian.
    for tool in zip unzip less python3 shellcheck pigz zstd; do has $tool || want $tool; done
    has xz || want xz-utils
    has borg || want borgbackup
    # What reads and writes the same repositories, and servers of them.
    has restic || want restic
    has rclone || want rclone
    has openssl || want openssl
    has ssh || want openssh-client
    has_sftp_server || want openssh-sftp-server
    case $system in debian*)
        has_rest_server || want_extra rest-server
        "$scripts/servers/get-restic.sh" --check || want_extra restic ;;
    esac
    if ! has_s3_servers; then
        want_extra s3-servers
        has_modules pip || want python3-pip
    fi
    # A client of HTTP/2 that drives the relay, and libsodium for attachments of Session.
    has_modules "h2, cryptography, nacl" || want python3-h2 python3-cryptography python3-nacl
    # What is printed with --json is compared with its schema.
    has_modules jsonschema || want python3-jsonschema
    # Texts are checked by a dictionary.
    { has hunspell && hunspell -d en_US -l < /dev/null; } > /dev/null 2>&1 || want hunspell hunspell-en-us
    has bsdtar || want libarchive-tools
    has man || want man-db
    has 7z || if [ "$system" = debian12 ]; then want p7zip-full; else want 7zip; fi
    has sqlcipher || [ $sqlcipher = source ] || want sqlcipher
    # The desktop's keyring on a private bus; and what reads recovery sheets and codes of links.
    has gnome-keyring-daemon || want gnome-keyring
    { has dbus-daemon && has dbus-send; } || want dbus
    can_load 'libsecret-1\.so\.0' || want libsecret-1-0
    has pdftotext || want poppler-utils
    has zbarimg || want zbar-tools
    has rsvg-convert || want librsvg2-bin
    # Pages of exports are opened in a browser and given to axe-core. Ubuntu's Chromium is a snap, which may not read them.
    case $system in debian*)
        has chromium || want chromium
        if ! has_axe; then
            want_extra axe
            has_modules pip || want python3-pip
        fi ;;
    esac
    # They need Python 3.11.
    if ! has_types && python3 -c 'from typing import NotRequired' 2> /dev/null; then
        want_extra types
        has_modules pip || want python3-pip
    fi
    # What prepares pictures, videos and voice messages, and what judges the pictures.
    can_load 'libvips\.so\.42' || if [ "$system" = debian12 ]; then want libvips42; else want libvips42t64; fi
    { has ffmpeg && has ffprobe; } || want ffmpeg
    has_modules PIL || want python3-pil
    # Chats as Markdown are read by another reader.
    has_modules commonmark || want python3-commonmark
    # What stores of tcfs are hashed with and their keys made with.
    can_load 'libblake3\.so\.0' || case $system in
        debian12 | debian13 | ubuntu24.04) want_extra blake3 ;; # they have no package of it
        *) want libblake3-0 ;;
    esac
    can_load 'libargon2\.so\.1' || want libargon2-1
    # What judges them.
    has age || want age
    if ! has_store_peers; then
        want_extra store-peers
        has_modules pip || want python3-pip
    fi
    # What mounts; it brings the library, whose package is named by its number. Trees that are mounted or served are read by
    # other programs.
    { has fusermount3 && can_load 'libfuse3\.so\.'; } || want fuse3
    for tool in git cadaver; do has $tool || want $tool; done
    # The tests start servers of their own, and the compiler compares our declarations with the header.
    has_postgres || want postgresql
    has haproxy || [ -x /usr/sbin/haproxy ] || want haproxy
    can_load 'libpq\.so\.5' || want libpq5
    [ -e /usr/include/postgresql/libpq-fe.h ] || want libpq-dev
    # A peer in the benchmarks only.
    case $system in debian*) has b3sum || want b3sum ;; esac
fi
if [ $package_tools = yes ]; then
    has dpkg-buildpackage || want dpkg-dev
    has dh || want debhelper
    for tool in patchelf lintian mmdebstrap; do has $tool || want $tool; done
fi

# Swift is not installed from here: which one, and where, is the user's choice.
oldest_swift=$(sed -n 's,^// swift-tools-version: *,,p' "$scripts/../Package.swift" 2> /dev/null || true)
swift=$(swift --version 2> /dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
if ! at_least "${swift:-0}" "${oldest_swift:=6.2}"; then
    say "Swift $oldest_swift or newer is not in the PATH${swift:+ (but $swift)}. Get it from" \
        "https://www.swift.org/install/linux/ or as the package 'swiftlang' of Debian 13 or newer," \
        "if 'apt-cache policy swiftlang' shows such a version"
    [ $check_only = no ] || result=1
fi

packages=$first_packages$packages
if [ -z "$packages" ] && [ $sqlcipher = there ]; then
    if [ -n "$extras" ]; then
        [ $check_only = no ] || { for extra in $extras; do say "missing $(describe "$extra")"; done; exit 1; }
        get_extras
    fi
    exit "${result:-0}"
fi
if ! has apt-get; then
    say "this is neither Debian nor Ubuntu. Install pkg-config, a C compiler, libsodium," \
        "zlib, libdeflate, libarchive, libcurl, libzstd, OpenSSL, on x86-64 intel-ipsec-mb, and SQLCipher $oldest_sqlcipher or newer," \
        "with their headers, in this system's own way"
    exit 1
fi
[ $check_only = yes ] && verb=missing || verb="will install"
[ -z "$packages" ] || say "$verb these packages and what they depend on:$packages"
for extra in $extras; do say "$verb $(describe "$extra")"; done
[ $sqlcipher != source ] || say "$verb SQLCipher, built from Debian 13's source, in /usr/local"
[ $check_only = no ] || exit 1

can_be_root || { say "that needs root, and there is no sudo. Run as root: $scripts/setup.sh${*:+ $*}"; exit 1; }

as_root apt-get -qq -o DPkg::Lock::Timeout=300 update
if [ $sqlcipher = package ]; then
    candidate=$(apt-cache policy libsqlcipher-dev | sed -n 's/^ *Candidate: \([0-9].*\)/\1/p')
    if ! dpkg --compare-versions "${candidate:-0}" ge $oldest_sqlcipher; then
        say "this system offers SQLCipher ${candidate:-not at all}, and $oldest_sqlcipher is needed. Nothing" \
            "was installed. On Ubuntu it is in the component 'universe'; elsewhere, build it yourself so" \
            "that 'pkg-config sqlcipher' finds it, and run this again"
        exit 1
    fi
fi
# Its package makes a server that starts with the machine; a file beside its settings prevents that while it is installed.
no_server=/etc/postgresql-common/createcluster.d/valise-setup.conf
case " $packages " in *" postgresql "*)
    as_root mkdir -p "${no_server%/*}"
    echo 'create_main_cluster = false' | as_root tee "$no_server" > /dev/null ;;
*) no_server= ;;
esac
add_packages() {
    [ $# = 0 ] || as_root apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" > "$work/log" ||
        { tail -n 30 "$work/log" >&2; exit 1; }
}
if [ $sqlcipher = source ]; then
    # shellcheck disable=SC2086 # several packages, each a word
    add_packages $first_packages
    say "building SQLCipher, about a minute"
    "$scripts/build-sqlcipher.sh" "$work/built" &
    builder=$!
fi
# shellcheck disable=SC2086
add_packages $packages
[ -z "$no_server" ] || as_root rm -f "$no_server"
get_extras
if [ $sqlcipher = source ]; then
    wait "$builder"
    builder=
    put_into_usr_local "$work/built"
fi
has_sqlcipher || { say "SQLCipher $oldest_sqlcipher or newer is still not found; see above"; exit 1; }
say "done, with SQLCipher $found"
