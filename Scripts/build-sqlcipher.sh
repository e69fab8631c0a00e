#!/bin/sh
# Builds SQLCipher from Debian 13's source package and installs it under /usr/local.
#
# Debian 12 packages SQLCipher 3.4.1, which cannot read format 4. The source comes through apt, from the
# mirror that this machine already uses, into a private folder: the machine's own package lists stay as
# they are, and apt checks the signatures as always. Called by setup.sh, as root.
set -eu

release=trixie
prefix=${PREFIX:-/usr/local}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$work"

# The mirror: the first URI of the machine's own sources that is not a security archive.
mirror=$(
    {
        sed -n 's/^[[:space:]]*URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' \
            /etc/apt/sources.list.d/*.sources 2>/dev/null || true
        sed -n 's/^[[:space:]]*deb[[:space:]]\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' \
            /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
    } | grep -v security | head -n 1
)
[ -n "$mirror" ] || { echo "build-sqlcipher: no package mirror found in /etc/apt" >&2; exit 1; }
[ -f "$keyring" ] || { echo "build-sqlcipher: $keyring is missing; install debian-archive-keyring" >&2; exit 1; }

mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
echo "deb-src [signed-by=$keyring] $mirror $release main" > "$work/sources.list"
private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}
private_apt update
(cd "$work/source" && private_apt source --download-only sqlcipher)
cd "$work/source"
dpkg-source --no-check -x ./*.dsc tree > /dev/null
cd tree

version=$(sed -n 's/^#define CIPHER_VERSION_NUMBER[[:space:]]*\([0-9.]*\).*/\1/p' src/*.[ch] | head -n 1)
options="-DSQLITE_HAS_CODEC -DSQLITE_TEMP_STORE=2 -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA
    -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_DBPAGE_VTAB -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS4
    -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_SECURE_DELETE"
if grep -q sqlcipher_extra_init src/*.c; then
    options="$options -DSQLITE_EXTRA_INIT=sqlcipher_extra_init
        -DSQLITE_EXTRA_SHUTDOWN=sqlcipher_extra_shutdown"
fi
configure_flag=
if ./configure --help | grep -q -- --enable-tempstore; then configure_flag=--enable-tempstore=yes; fi
# shellcheck disable=SC2086
./configure $configure_flag CFLAGS="-O2" > "$work/configure.log" 2>&1
make sqlite3.c > "$work/make.log" 2>&1
[ -f shell.c ] || make shell.c >> "$work/make.log" 2>&1

# shellcheck disable=SC2086
cc -O2 -fPIC $options -c sqlite3.c -o sqlite3.o
cc -shared -Wl,-soname,libsqlcipher.so.1 sqlite3.o -o libsqlcipher.so.1 -lcrypto -lm -ldl -lpthread
ar rcs libsqlcipher.a sqlite3.o
# shellcheck disable=SC2086
cc -O2 $options -I. shell.c -o sqlcipher-shell ./libsqlcipher.so.1 -lm -ldl -lpthread

install -d "$prefix/lib/pkgconfig" "$prefix/include/sqlcipher" "$prefix/bin"
install -m 644 sqlite3.h sqlite3ext.h "$prefix/include/sqlcipher/" 2>/dev/null ||
    install -m 644 sqlite3.h src/sqlite3ext.h "$prefix/include/sqlcipher/"
install -m 644 libsqlcipher.a libsqlcipher.so.1 "$prefix/lib/"
ln -sf libsqlcipher.so.1 "$prefix/lib/libsqlcipher.so"
install -m 755 sqlcipher-shell "$prefix/bin/sqlcipher"
cat > "$prefix/lib/pkgconfig/sqlcipher.pc" <<END
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
ldconfig
echo "build-sqlcipher: SQLCipher $version is installed under $prefix"
