#!/bin/sh
# Makes the Debian packages of both programs with debhelper: make-deb.sh PROGRAMS OUTPUT
#
#   PROGRAMS  the folder of a release build with the static Swift runtime
#   OUTPUT    gets valise_….deb and valise-relay_….deb
#
# The tree that is packaged is a copy, so that debian/ is not at the root of the repository.
set -eu
umask 022
export LC_ALL=C.UTF-8
programs=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() { echo "make-deb: $*" >&2; exit 1; }

# A build of what is not released yet is newer than the newest release and older than the next one.
released=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$root/CHANGELOG.md" | head -n 1)
[ -n "$released" ] || fail "CHANGELOG.md has no release"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2> /dev/null ||
    stat -c %Y "$root/CHANGELOG.md")}
export SOURCE_DATE_EPOCH
version=$released
[ "$(sed -n 's/^## //p' "$root/CHANGELOG.md" | head -n 1)" != Unreleased ] ||
    version=$released+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d)
for program in valise valise-relay; do
    [ -x "$programs/$program" ] || fail "$programs/$program is missing; 'make build' makes it"
    said=$("$programs/$program" --version)
    [ "$said" = "$released" ] || fail "$program is version $said, and CHANGELOG.md says $released"
done

tree=$work/valise-$version
mkdir "$tree"
cp -R "$root/Packaging" "$root/Scripts" "$root/man" "$root/Documentation" \
    "$root/README.md" "$root/SECURITY.md" "$root/CHANGELOG.md" "$tree/"
cp -R "$root/Packaging/debian" "$tree/debian"
cat > "$tree/debian/changelog" << CHANGES
valise ($version-1) unstable; urgency=medium

  * Built from the sources; their changes are in changelog.gz beside this.

 -- $(sed -n 's/^Maintainer: //p' "$tree/debian/control")  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
CHANGES
# The unit of 'make install' makes a user when it starts; the package has one that stays.
{
    printf '%s\n' '# Set up the relay before the first start: /usr/share/doc/valise-relay/README.Debian' ''
    sed -e '1,/^$/d' -e 's|/usr/local/bin/|/usr/bin/|' \
        -e 's|^DynamicUser=yes$|User=valise-relay\nGroup=valise-relay|' \
        "$root/Packaging/valise-relay.service"
} > "$tree/debian/valise-relay.service"
grep -q '^User=valise-relay$' "$tree/debian/valise-relay.service" || fail "the relay's unit got no user"

cd "$tree"
DEB_PREBUILT=$programs dpkg-buildpackage -b -us -uc > "$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; fail "dpkg-buildpackage failed"; }
grep -E '^(dpkg-shlibdeps: warning|dh_[a-z]*: warning)' "$work/log" >&2 || true
rm -f "$output"/valise_*.deb "$output"/valise-relay_*.deb
cp "$work"/*.deb "$output/"
for package in "$output"/*.deb; do echo "made $package"; done
