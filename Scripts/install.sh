#!/bin/sh
# Installs both programs, their manual pages and their completions, and where systemd is the unit of the relay:
# install.sh VALISE PREFIX
set -eu
valise=$1
prefix=$2
root=$(cd "$(dirname "$0")/.." && pwd)

install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/man/man5" "$prefix/share/man/man7" \
    "$prefix/share/bash-completion/completions" "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
for section in 1 5 7; do install -m 644 "$root"/man/*.$section "$prefix/share/man/man$section/"; done
for program in "$valise" "$(dirname "$valise")/valise-relay"; do
    name=$(basename "$program")
    install -m 755 "$program" "$prefix/bin/$name"
    strip "$prefix/bin/$name" 2> /dev/null || true
    "$program" --generate-completion-script bash > "$prefix/share/bash-completion/completions/$name"
    "$program" --generate-completion-script zsh > "$prefix/share/zsh/site-functions/_$name"
    "$program" --generate-completion-script fish > "$prefix/share/fish/vendor_completions.d/$name.fish"
done
unit=
if command -v systemctl > /dev/null 2>&1; then
    install -d "$prefix/lib/systemd/system"
    for unit in valise-relay.service valise-relay@.service; do
        sed "s|/usr/local/bin/valise-relay|${prefix#"${DESTDIR-}"}/bin/valise-relay|" "$root/Packaging/$unit" \
            > "$prefix/lib/systemd/system/$unit"
        chmod 644 "$prefix/lib/systemd/system/$unit"
    done
    unit=" and the units of the relay"
fi
echo "installed valise and valise-relay, their manual pages, completions$unit under $prefix"
