#!/bin/sh
# Builds SQLCipher from Debian 13's source package: setup.sh's part for Debian 12, whose own package is
# 3.4.1 and cannot read format 4.
#
#   Scripts/build-sqlcipher.sh FOLDER   makes FOLDER/lib, include and bin, to be copied to /usr/local
#
# Needs no root. The source comes through apt from the mirror that this machine already uses, with lists
# in a private folder: the machine's own stay as they are, and apt checks the signatures as always.
set -eu

prefix=/usr/local
suite=trixie
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

output=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"                      # apt downloads as a user of its own

fail() { echo "build-sqlcipher: $*" >&2; exit 1; }
logged() { "$@" > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "failed: $*"; }; }

# Asked of apt rather than read from its files, which have two formats, options and disabled entries.
# shellcheck disable=SC2016 # apt's variables, not the shell's
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' 'Codename: bookworm' 'Component: main' | head -n 1)
[ -n "$mirror" ] || fail "apt has no lists of Debian 12's main archive; see /etc/apt and run 'apt-get update'"
[ -r $keyring ] || fail "$keyring is missing; install debian-archive-keyring"

mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/download"
[ "$(id -u)" != 0 ] || chown _apt "$work/download" # lets apt keep that user, without a warning
echo "deb-src [signed-by=$keyring] $mirror $suite main" > "$work/sources.list"
# The empty status and release: apt would look for the source of the version installed here, or of here.
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$work/lists" -o Dir::State::Status=/dev/null -o Dir::Cache="$work/cache" \
        -o APT::Default-Release= "$@"
}
private_apt update
cd "$work/download"
logged private_apt source --only-source --download-only sqlcipher
# apt has compared the files with the signed list; dpkg-source would want the packager's own key.
logged dpkg-source --no-check -x ./*.dsc "$work/tree"
cd "$work/tree"

version=$(sed -n 's/^#define CIPHER_VERSION_NUMBER[[:space:]]*//p' src/*.[ch] | head -n 1)
[ -n "$version" ] || fail "this source has no SQLCipher version"
logged ./configure --disable-tcl --enable-tempstore=yes # makes sqlite_cfg.h: what this system has
logged make sqlite3.c shell.c

set -- -O2 -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -D_HAVE_SQLITE_CONFIG_H -I. \
    -DSQLITE_HAS_CODEC -DSQLCIPHER_CRYPTO_OPENSSL -DSQLITE_TEMP_STORE=2 -DSQLITE_THREADSAFE=1 \
    -DSQLITE_SECURE_DELETE -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_UNLOCK_NOTIFY \
    -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_DBPAGE_VTAB -DSQLITE_ENABLE_RTREE \
    -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS5
if grep -q sqlcipher_extra_init src/*.c; then # SQLCipher 4.7 and newer
    set -- "$@" -DSQLITE_EXTRA_INIT=sqlcipher_extra_init -DSQLITE_EXTRA_SHUTDOWN=sqlcipher_extra_shutdown
fi
include=$output/include/sqlcipher
mkdir -p "$output/lib/pkgconfig" "$include" "$output/bin"
logged cc "$@" -c sqlite3.c -o sqlite3.o
# The same soname as Debian 13's package. Debian 12's ends in .0, so neither stands in for the other.
logged cc -shared -Wl,-soname,libsqlcipher.so.1 -Wl,-z,relro,-z,now sqlite3.o \
    -o "$output/lib/libsqlcipher.so.1" -lcrypto -lm -ldl -lpthread
ln -s libsqlcipher.so.1 "$output/lib/libsqlcipher.so"
logged ar rcs "$output/lib/libsqlcipher.a" sqlite3.o
logged cc "$@" shell.c -o "$output/bin/sqlcipher" "$output/lib/libsqlcipher.so" -lm -ldl -lpthread
cp sqlite3.h src/sqlite3ext.h "$include/"
cat > "$output/lib/pkgconfig/sqlcipher.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sqlcipher
Description: SQLite with encryption of the whole file
Version: $version
Libs: -L\${libdir} -lsqlcipher
Libs.private: -lcrypto -lm -ldl -lpthread
Cflags: -I\${includedir}/sqlcipher
END
