"""`valise move`."""

import time

from .relay import Relay

K = "--passphrase-file key"
COST: dict[str, float] = {"move-relay": 10, "move-archive": 5}


def hide_ids(w):
    w.hide(r'"(id|identity|move)":"[^"]+"', r'"\1":"ID"')
    w.hide(r"^\| [a-z0-9]{10}  (?=\$W)", "| ID  ")
    w.hide(r"(?<=move forget )[a-z0-9]{10}\b(?=,)", "ID")
    w.hide(r"(?<=^! valise: )[a-z0-9]{10}(?=: this move)", "ID")
    w.hide(r'"message":"[a-z0-9]{10}: this move', '"message":"ID: this move')
    w.hide(r'"subject":"[a-z0-9]{10}"', '"subject":"ID"')


def by_relay(w):
    relay = Relay(w)
    w.copy("account", "account")
    w.copy("plain", "plain")
    hide_ids(w)
    send = f"move send account --server {relay.address} --no-qr {K}"
    w("move status")
    w("move status --json")
    w("move link account")
    w("move finish account --words 'a b c d e f g h'")
    w("move cancel account")
    w(f"{send} --dry-run")
    w(f"{send} --dry-run --json")
    w(f"{send} --no-input")
    w("move send account --yes --passphrase-file wrong-key --server " + relay.address)
    w("move send account --yes --no-input --server " + relay.address)
    # Moves are listed by the seconds in which they were begun.
    time.sleep(1.1)
    w("move send plain --yes --no-qr --server " + relay.address)
    w(f"move send missing --yes {K} --server {relay.address}")
    sent = w(f"{send} --yes --json").json
    link = "\n".join(sent["links"])
    w(f"{send} --yes")
    w("move status")
    w("move status --json")
    w("move status account")
    w("move link account --no-qr")
    w("move link account --no-qr --json")
    w("move link account --no-qr --qr-png code.png --qr-svg code.svg --quiet")
    w("move link account --no-qr --qr-png code.png")
    new = {"HOME": str(w.path("new-home")), "XDG_STATE_HOME": str(w.path("new-home/state"))}
    w.path("new-home").mkdir(mode=0o700)
    w.note("another machine from here on, where HOME is set")
    w(f"move receive - arrived {K} --no-input", stdin=link, secret="LINK", env=new)
    w("move receive - arrived --yes --approve-relays --passphrase-file wrong-key", stdin=link, secret="LINK", env=new)
    w("move status", env=new)
    w(f"move receive arrived --yes --approve-relays {K} --confirm error --network-config leave", env=new)
    w(f"move receive arrived --yes --approve-relays {K}", env=new)
    w("move status --json", env=new)
    w(f"archive diff account arrived {K}")
    w.note("the first machine again")
    w("move finish account --words 'wrong words are not the right ones at all'")
    w("move finish account --no-input")
    w(f"move finish account --words '{sent['words']}'")
    w(f"move finish account --words '{sent['words']}' --json")
    w("move status")
    w("account status account --no-input")
    w("account status account --no-input --json")
    w(f"account check account {K}")
    w(f"archive export account x.zip {K}")
    w("move link account")
    w("move restore account --no-input")
    w("move restore account --yes")
    w("move restore account --yes --json")
    w("account status account --no-input")
    w("move remove account --yes")
    w("move forget nothing")
    w("move status --json")


def renewing(w):
    relay = Relay(w)
    w.copy("account", "account")
    hide_ids(w)
    send = f"move send account --server {relay.address} --no-qr --yes {K}"
    w(f"{send} --quiet")
    w(f"{send} --renew --json")
    w.do(f"valise account compact account {K} --quiet")
    w(f"account status account {K}")
    w("move cancel account")
    w("move cancel account --json")
    w("move status --json")
    sent = w(f"{send} --json --network-config none").json
    w("move link account --no-qr", env={"VALISE_NO_JOBS": "1"})
    w(f"move finish account --words '{sent['words']}' --remove --no-input")
    w(f"move finish account --words '{sent['words']}' --remove --yes --json")
    w(f"move finish account --words '{sent['words']}'")
    w(f"move finish account --words '{sent['words']}' --unconfirmed --json")
    w("move remove account --yes --json")
    w("account status account --no-input")
    w("move status")


def by_archive(w):
    w.copy("account", "account")
    hide_ids(w)
    w(f"move send account --to moved.zip --yes {K} --dry-run")
    sent = w(f"move send account --to moved.zip --yes {K} --json").json
    w(f"move send account --to moved.zip --yes {K}")
    w("move status --json")
    w("move link account")
    new = {"HOME": str(w.path("new-home")), "XDG_STATE_HOME": str(w.path("new-home/state"))}
    w.path("new-home").mkdir(mode=0o700)
    w(f"move receive missing.zip arrived --yes {K}", env=new)
    w(f"move receive moved.zip arrived --yes {K} --json", env=new)
    w(f"move receive moved.zip arrived --yes {K} --json", env=new)
    w("move status --json", env=new)
    w(f"move finish account --words '{sent['words']}' --json")
    w("move remove account --no-input")
    w("move remove account --yes --json")
    w("move remove account --yes")
    w("account status account")
    w.copy("account", "second")
    w(f"move send second --to second.zip --pack --yes {K} --quiet")
    w("move cancel second --json")
    w("move restore second --yes")


SUBJECTS = {"move-relay": by_relay, "move-renewing": renewing, "move-archive": by_archive}
