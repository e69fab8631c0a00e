#!/bin/sh
# A week with backups: backup-week.sh FOLDER_OF_THE_PROGRAMS
#
# The service of the schedule is run by hand each day, on a disk and on an S3 server. Then bits of the disk flip, which the
# verification finds; the account is restored from the other repository, by Valise and by restic. Each step fails the script.
set -eu

PATH=$1:$PATH
here=$(cd "$(dirname "$0")" && pwd)
week=$(mktemp -d)
server=
trap 'rm -rf "$week"; [ -z "$server" ] || kill "$server" 2> /dev/null || :' EXIT
trap 'exit 130' INT TERM

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }

cd "$week"
export XDG_STATE_HOME="$week/state" XDG_DATA_HOME="$week/data" XDG_CONFIG_HOME="$week/config"
(
    umask 077
    printf 'correct horse battery staple' > passphrase
    printf 'another horse, another battery' > password
)
export RESTIC_PASSWORD_FILE="$week/password"
valise-sample laptop --passphrase-file=passphrase --messages 5000 --media-bytes 5000000
# The timer runs without a user: the passphrase is where the key store has it.
valise key store laptop --store file --passphrase-file passphrase --quiet

grow() { # messages of a day
    PYTHONPATH="$here" python3 -c "
import pathlib, growing
growing.grow(pathlib.Path('laptop'), open('passphrase').read(), 100)"
}

step '1. Two repositories: on a disk, and on an S3 server'
show valise backup init disk
python3 "$here/servers/serve.py" moto "$week/moto" < /dev/zero > served.json &
server=$!
until [ -s served.json ]; do sleep 0.2; done
field() { python3 -c "import json; print(json.load(open('served.json')).get('$1', ''))"; }
bucket=s3:$(field address)/$(field bucket)/laptop
AWS_ACCESS_KEY_ID=$(field accessKey)
AWS_SECRET_ACCESS_KEY=$(field secretKey)
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
show valise backup init "$bucket"

step '2. A timer for each night'
show valise backup schedule laptop --repo "$week/disk" --password-file "$week/password" --keep-daily 7 --output units
ls units

step '3. Seven days'
for day in 1 2 3 4 5 6 7; do
    [ $day = 1 ] || grow
    echo "day $day"
    # What the timer runs.
    sed -n 's/^ExecStart=//p' units/valise-backup.service | sh -e
    show valise backup run laptop --repo "$bucket" --quiet
done
show valise backup list --repo disk

step '4. The disk goes bad'
python3 - << 'EOF'
import pathlib, random
packs = sorted(pathlib.Path("disk/data").rglob("*/*"), key=lambda path: path.stat().st_size)
pack = packs[-1]
content = bytearray(pack.read_bytes())
for _ in range(3):
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
pack.chmod(0o600)
pack.write_bytes(content)
EOF
status=0
show valise backup verify --repo disk --read-data || status=$?
[ $status = 13 ]

step '5. The other repository is whole, and proved'
show valise backup drill laptop --repo "$bucket"
show valise backup restore latest phone --repo "$bucket" --new-passphrase-file passphrase
show valise account status phone --passphrase-file passphrase
show valise backup status laptop --repo "$bucket"

if command -v restic > /dev/null; then
    step '6. And restic reads it'
    export RESTIC_CACHE_DIR="$week/cache" AWS_DEFAULT_REGION=us-east-1
    mkdir "$week/cache"
    show restic -q -r "$bucket" check --read-data
    show restic -q -r "$bucket" restore latest --target restored
    chat=$(find restored -name simplex_v1_chat.db)
    # Kept open in the repository, it is an ordinary database.
    show python3 -c "
import sqlite3, sys
chat = sqlite3.connect(sys.argv[1])
print(*chat.execute('PRAGMA integrity_check').fetchone(), chat.execute('SELECT count(*) FROM chat_items').fetchone()[0], 'messages')" "$chat"
fi
