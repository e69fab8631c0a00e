#!/bin/sh
# Installs the program, its manual pages and its completions: install.sh VALISE PREFIX
set -eu
valise=$1
prefix=$2
root=$(cd "$(dirname "$0")/.." && pwd)

install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
install -m 755 "$valise" "$prefix/bin/valise"
strip "$prefix/bin/valise" 2> /dev/null || true
install -m 644 "$root"/man/*.1 "$prefix/share/man/man1/"
"$valise" --generate-completion-script bash > "$prefix/share/bash-completion/completions/valise"
"$valise" --generate-completion-script zsh > "$prefix/share/zsh/site-functions/_valise"
"$valise" --generate-completion-script fish > "$prefix/share/fish/vendor_completions.d/valise.fish"
echo "installed valise, its manual pages and completions under $prefix"
