#!/bin/sh
# Checks the packages with lintian, and installs, uses, removes and purges them in a fresh root of this
# machine's release: test-deb.sh FOLDER
#
#   FOLDER  has the packages that make-deb.sh made
#
# As root, or as a user who may make user namespaces. The root is made below TMPDIR, and deleted at the end.
set -eu
folder=$(cd "$1" && pwd)
scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"

fail() { echo "test-deb: $*" >&2; exit 1; }

set -- "$folder"/valise_*.deb "$folder"/valise-relay_*.deb
[ $# = 2 ] || fail "more than one version in $folder; run 'make deb'"
if [ ! -e "$1" ] || [ ! -e "$2" ]; then fail "no package of each in $folder; run 'make deb'"; fi

# There is no bug of Debian's that these packages could close.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$@" ||
    fail "lintian found defects"
echo "ok: lintian"

# Asked of apt rather than read from its files, as in build-sqlcipher.sh.
# shellcheck source=/dev/null
. /etc/os-release
case $ID in
    debian) origin=Debian ;;
    ubuntu) origin=Ubuntu ;;
    *) fail "this is neither Debian nor Ubuntu" ;;
esac
keyring=/usr/share/keyrings/$ID-archive-keyring.gpg
apt-get indextargets --format "deb [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' "Origin: $origin" | sort -u > "$work/sources.list"
[ -s "$work/sources.list" ] || fail "apt has no lists of $origin's archive; run 'apt-get update'"
# How this machine reaches the archive: proxies, and what else somebody had to set.
apt-config dump | grep -E '^Acquire::(https?::|Retries|Check-)' > "$work/apt.conf" || true

# Nothing is in the root that the packages do not ask for: essential packages, and apt.
# shellcheck disable=SC2016 # the hooks have a $1 of their own
mmdebstrap --quiet --variant=apt --format=null --aptopt="$work/apt.conf" \
    --customize-hook='mkdir "$1/packages"' \
    --customize-hook="copy-in '$1' '$2' '$scripts/test-deb-inside.sh' /packages" \
    --customize-hook='chroot "$1" sh /packages/test-deb-inside.sh' \
    "$VERSION_CODENAME" /dev/null "$work/sources.list" || fail "failed in the fresh root"
