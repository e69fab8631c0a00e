#!/bin/sh
# The part of test-deb.sh that runs as root inside of the fresh root. The packages are in /packages.
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
state=/var/lib/valise-relay
home=/tmp/home
passphrase=$home/passphrase

fail() { echo "test-deb: $*" >&2; exit 1; }
ok() { echo "ok: $*"; }
logged() { "$@" > /tmp/log 2>&1 || { cat /tmp/log >&2; fail "failed: $*"; }; }
apt() { logged apt-get -qq -o APT::Install-Recommends=0 "$@"; }
installs() { apt install -y /packages/*.deb; }
user() { runuser -u nobody -- env HOME="$home" "$@"; }
relay() { runuser -u valise-relay -- valise-relay "$@"; }

# What an installation could leave, by its path: not what apt and dpkg keep for themselves.
paths() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /packages \
        -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path '/var/lib/dpkg/*-old' \) -prune \
        -o -print | sort
}
nothing_is_left() {
    paths > /tmp/paths
    ! grep -i valise /tmp/paths || fail "purging left the files above"
    [ -z "$(dpkg-query -W -f '${Package}' 'valise*' 2> /dev/null)" ] || fail "dpkg still knows the packages"
}

apt update
installs
apt purge -y valise valise-relay
nothing_is_left
cp /tmp/paths /tmp/paths-before        # with the packages that ours depend on
installs
ok "installed with apt: version $(dpkg-query -W -f '${Version}' valise)"

# Files
for file in $(dpkg -L valise valise-relay); do [ -e "$file" ] || fail "$file is missing"; done
for program in valise valise-relay; do
    ! ldd "/usr/bin/$program" | grep 'not found' || fail "$program lacks libraries"
    ldd "/usr/bin/$program" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | while read -r library; do
        dpkg -S "$library" > /dev/null 2>&1 || dpkg -S "$(realpath "$library")" > /dev/null ||
            fail "$library is of no package"
    done
    bash -c ". /usr/share/bash-completion/completions/$program && complete -p $program" > /dev/null ||
        fail "the bash completions of $program do not load"
    grep -q "^#compdef $program" "/usr/share/zsh/vendor-completions/_$program" || fail "no zsh completions"
    [ -s "/usr/share/fish/vendor_completions.d/$program.fish" ] || fail "no fish completions"
    for page in "$program" $("$program" --help | sed -n '/^SUBCOMMANDS/,$s/^  \([a-z][a-z]*\)  .*/\1/p' |
        sed "s/^/$program-/"); do
        gzip -cd "/usr/share/man/man1/$page.1.gz" | grep -q "^\.Nm $page\$" || fail "no manual page $page"
    done
    [ -s "/usr/share/doc/$program/copyright" ] || fail "no copyright of $program"
done
for page in man5/valise-formats.5 man7/valise-guide.7; do
    [ -s "/usr/share/man/$page.gz" ] || fail "no manual page $page"
done
ok "libraries, completions and manual pages"

# The program, as a user without rights
install -d -m 700 -o nobody "$home"
user sh -c "umask 077; echo 'correct horse battery staple' > $passphrase"
cd "$home"
version=$(dpkg-query -W -f '${Version}' valise)
[ "$(user valise --version)" = "${version%%[+-]*}" ] || fail "valise --version is not the package's"
user valise account create laptop --passphrase-file $passphrase
user valise account check laptop --passphrase-file $passphrase
user valise archive export laptop laptop.zip --passphrase-file $passphrase
user valise archive import laptop.zip other --passphrase-file $passphrase
user valise key verify other --passphrase-file $passphrase
# libarchive is a dependency that no tool finds: it is not linked.
user valise archive export laptop laptop.tar.zst --passphrase-file $passphrase
user valise archive list laptop.tar.zst
ok "an account was created, checked, exported and imported"

# The relay
[ "$(getent passwd valise-relay | cut -d: -f6,7)" = "$state:/usr/sbin/nologin" ] || fail "no system user"
[ "$(stat -c '%U:%G %a' $state)" = 'valise-relay:valise-relay 700' ] || fail "$state is not the relay's alone"
unit=$(dpkg -L valise-relay | grep '/system/valise-relay\.service$')
if command -v systemd-analyze > /dev/null; then
    logged systemd-analyze verify --man=no "$unit"
    ! grep -F valise-relay /tmp/log || fail "systemd finds defects in the unit"
    [ "$(systemctl --root=/ is-enabled valise-relay)" = disabled ] || fail "the relay is enabled"
    systemctl --root=/ --quiet enable valise-relay
    # No systemd runs here: what would be asked of it.
    grep -q "deb-systemd-invoke stop 'valise-relay" /var/lib/dpkg/info/valise-relay.prerm ||
        fail "removing does not stop the relay"
    grep -q '_dh_action=restart' /var/lib/dpkg/info/valise-relay.postinst ||
        fail "upgrades do not restart the relay"
    ok "systemd takes the unit, and enables it"
else
    echo "skipped: no systemd-analyze here"
fi
address=$(relay init --folder $state --host 127.0.0.1 --port 47443 --quota 1gb | grep -o 'xftp://[^ ]*')
relay start --folder $state > /tmp/relay 2>&1 &
process=$!
trap 'kill $process 2> /dev/null || true' EXIT
for _ in $(seq 100); do ! relay status --folder $state > /tmp/log 2>&1 || break; sleep 0.1; done
relay status --folder $state
user sh -c 'head -c 300000 /dev/urandom > file'
user valise file send file --server "$address" --quiet > file.link
install -d -m 700 -o nobody received
user valise file receive - --output received --approve-relays --quiet < file.link
cmp file received/file || fail "the file that was received is not the one that was sent"
relay stop --folder $state
wait $process || fail "the relay ended with a failure"
trap - EXIT
ok "a file went through the relay"

# Leaving
apt remove -y valise valise-relay
! command -v valise valise-relay || fail "the programs are still there"
[ -e $state/ca.key ] || fail "removing the package deleted the relay's identity"
installs
apt purge -y valise valise-relay
nothing_is_left
diff /tmp/paths-before /tmp/paths || fail "purging did not restore the system"
ok "removing keeps the relay's folder; purging leaves nothing"
