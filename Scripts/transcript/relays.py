"""`valise-relay`."""

from .relay import Relay

COST: dict[str, float] = {"relay": 3}


def relay(w):
    w.hide(r"(fingerprint: +)[A-Za-z0-9_=-]{43,44}", r"\1FINGERPRINT")
    w.hide(r'"(fingerprint|identity)":"[^"]+"', r'"\1":"FINGERPRINT"')
    w.hide(r'"port":(?!(?:443|5443)\b)\d+', '"port":N')
    w("valise-relay init --folder first --host 127.0.0.1 --port 5443 --quota 100mb --sign-algorithm ed25519")
    w("valise-relay init --folder first --host 127.0.0.1 --port 5443")
    w("valise-relay init --folder second --host relay.example.org --json --no-new-files")
    w("valise-relay init --folder third --host a.example.org,b.example.org --listen 127.0.0.1 --quiet")
    w("valise-relay init --folder fourth --host 'bad host'")
    w("valise-relay init --folder fifth --host example.org --password-file missing")
    w("valise-relay init --folder key --host example.org")
    w("valise-relay init --folder files-elsewhere --host 127.0.0.1 --files chunks --json")
    w("valise-relay status --folder first")
    w("valise-relay status --folder missing")
    w("valise-relay status --folder missing --json")
    w("valise-relay start --folder missing")
    w("valise-relay start --folder missing --json")
    w("valise-relay stop --folder first")
    w("valise-relay renew --folder first")
    w("valise-relay renew --folder first --json --sign-algorithm ed448")
    w("valise-relay renew --folder first --ca-key missing")
    w("valise-relay renew --folder missing")
    running = Relay(w)
    w("valise-relay start --folder relay")
    w("valise-relay status --folder relay")
    w("valise-relay status --folder relay --json")
    w("valise-relay status --folder relay --quiet")
    w("valise-relay delete AAAA --folder relay")
    w("valise-relay delete AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA --folder relay --json")
    w("valise-relay block AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA --reason spam --folder relay")
    w("valise-relay renew --folder relay --json")
    w("valise-relay stop --folder relay")
    running.process.wait()
    w("valise-relay stop --folder relay --json")
    w("valise-relay status --folder relay --json")


SUBJECTS = {"relay": relay}
