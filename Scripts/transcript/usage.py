"""Mistakes on the command line."""

COST: dict[str, float] = {"usage": 2}

LINES = """
nothing
account nothing
acount status account
--nothing
account status
account status --json
account status account more
account status account --nothing
account status account --nothing --json
account status account --passphrase-file
account status account --passphrase-file key --passphrase-command 'cat key'
account status account --passphrase-file key --passphrase-command 'cat key' --json
account status account --key-store nowhere
account create
account create new --store-key nowhere
account create new --no-encryption --passphrase-file key
account create new --stored-key --store-key file
account sql account
account sql account 'SELECT 1' --database other
account sql account 'SELECT 1' --csv --json
account salvage account
account salvage account out --kdf-iter many
account salvage account out --kdf-algorithm MD5
account salvage account out --cipher-salt short
key change account --decrypt --new-passphrase-file other-key
key change account --json-form other
key generate --for here --to there
key generate --store file
key sheet account
key sheet account -o sheet.doc
key sheet account -o sheet.pdf --format png
key sheet account -o sheet.pdf --verify
key store account --store file:
media encrypt account --type music
media encrypt account --since someday
media encrypt account --min-size big
media encrypt account --min-size 2mb --max-size 1mb
media encrypt account --since 2026-02-01 --before 2026-01-01
media encrypt account --chat nobody
media export account
media purge account --yes
media plan
media plan a --type music
media plan a --protocol http
migrate run account --confirm maybe
migrate run account --confirm maybe --json
migrate run account --json-form other
archive export account
archive export account a.zip --level 0
archive export account a.zip --level 12
archive export account a.zip --level hard
archive export account a.zip --level 3 --no-compression
archive export account a.zip --only-databases --without-media
archive export account a.zip --media-since never
archive export account - --json
archive import a.zip
archive import a.zip account --max-size lots
archive import a.zip account --max-ratio 0
archive import a.zip account --keep-previous ../up
archive import a.zip account --keep-previous former
archive list
archive verify a.zip --max-ratio many
archive salvage a.zip
archive diff a.zip
archive extract a.zip
archive extract a.zip --directory
file send
file send a --recipients 0
file send a --recipients many
file send a --server nowhere
file send a --server https://example.org
file send a --redirect sometimes
file send a --data {
file send a --serve
file send --list a
file send a --proxy nowhere
file receive
file receive nothing
file receive simplex:/file
file receive --json not-a-link
file info
file info not-a-link
file delete
file encrypt a
file encrypt a b --key-file key --key-fd 3
file decrypt a
file decrypt a b --key-file missing
file verify
jobs nothing
jobs show
jobs show first
jobs show -1
jobs resume
jobs retry
jobs cancel
jobs list more
move send
move send account --to a.zip --server xftp://x
move send account --network-config maybe
move send account --serve
move receive
move receive account
move receive not-a-link account
move receive - account --confirm maybe
move finish
move link account --qr --no-qr
move status a b
move forget
valise-relay
valise-relay nothing
valise-relay init
valise-relay init --host
valise-relay init --host 127.0.0.1 --port big --folder relay
valise-relay init --host 127.0.0.1 --port 70000 --folder relay
valise-relay init --host 127.0.0.1 --quota lots --folder relay
valise-relay init --host 127.0.0.1 --sign-algorithm rsa --folder relay
valise-relay start --log-level loud --folder relay
valise-relay block x --folder relay
valise-relay block x --reason dislike --folder relay
valise-relay delete --folder relay
"""


def usage(w):
    for line in LINES.strip().split("\n"):
        w(line)


SUBJECTS = {"usage": usage}
