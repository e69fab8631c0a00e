#!/bin/sh
# The main job from end to end: demo.sh FOLDER_OF_THE_PROGRAMS
#
# Makes a sample account at an older schema, migrates it, exports it, imports it elsewhere, and compares the
# two accounts row for row (by the sqlcipher shell, not by valise) and file for file. In the end its messages are exported as
# pages, which stay: the last line names their index.
set -eu

PATH=$1:$PATH
demo=$(mktemp -d)
trap 'rm -rf "$demo"' EXIT
trap 'exit 130' INT TERM

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }

cd "$demo"
export XDG_STATE_HOME="$demo/state"   # jobs are written here, not in your own queue
(umask 077; printf 'correct horse battery staple' > passphrase)   # one that others can read is refused
key=--passphrase-file=passphrase

step '1. An encrypted account, with contacts, groups, messages and media'
show valise-sample laptop $key --messages 2000
show valise account status laptop $key

step '2. Its schema goes back to an older one, and forward again, both databases together'
show valise migrate run laptop $key --to-chat 0016_member_support --to-agent 0010_sent_files \
    --confirm yesUpDown --quiet
show valise migrate confirm laptop --yes
show valise migrate plan laptop $key
show valise migrate run laptop $key --confirm yesUp
show valise migrate confirm laptop --yes

step '3. Exported'
show valise archive export laptop account.zip $key
show unzip -tq account.zip

step '4. Imported on another machine'
show valise archive import account.zip desktop $key
show valise account status desktop $key

step '5. Compared'
dump() {
    {
        printf "PRAGMA key = '%s';\n" "$(cat "$2")"
        echo 'PRAGMA cipher_integrity_check; PRAGMA integrity_check;'
        echo '.dump'
    } | sqlcipher "$1"
}
for database in chat agent; do
    dump "laptop/simplex_v1_$database.db" passphrase > one.sql
    dump "desktop/simplex_v1_$database.db" passphrase > two.sql
    rows=$(grep -c '^INSERT' one.sql)
    cmp one.sql two.sql
    grep -q '^ok$' one.sql
    if grep -q 'HMAC verification failed' one.sql; then exit 1; fi
    echo "$database database: $rows rows, equal; every page's HMAC and the structure checked by sqlcipher"
done
count() { find "$1" -type f | wc -l; }
diff -r laptop/simplex_v1_files desktop/simplex_v1_files
diff -r laptop/simplex_v1_assets desktop/simplex_v1_assets
echo "media: $(count laptop/simplex_v1_files) files and $(count laptop/simplex_v1_assets) wallpaper, equal byte for byte"

step 'The imported account is equal to the exported one.'

step '6. The passphrase of the copy is changed; a byte of the original is changed, and what can be read is saved'
(umask 077; valise key generate > new)
show valise key change desktop $key --new-passphrase-file new
dump desktop/simplex_v1_chat.db new > two.sql
dump laptop/simplex_v1_chat.db passphrase > one.sql
cmp one.sql two.sql
printf 'x' | dd of=laptop/simplex_v1_chat.db bs=1 seek=500000 conv=notrunc status=none
ends() {    # allowed statuses, command
    allowed=$1
    shift
    printf '$ %s\n' "$*"
    status=0
    "$@" || status=$?
    case " $allowed " in *" $status "*) ;; *) echo "ended with status $status"; exit 1 ;; esac
}
ends 13 valise account check laptop $key --quick
ends '0 3' valise account salvage laptop saved $key
ends '0 3' valise account check saved $key

step '7. The messages, as pages that any browser opens without a network'
pages=$(mktemp -d)/chats
ends '0 3' valise chat export desktop "$pages" --format html --passphrase-file=new
printf '\nOpen this in a browser; remove the folder when you have seen it:\n%s\n' "$pages/html/index.html"
