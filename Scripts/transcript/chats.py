"""`valise chat`."""

K = "--passphrase-file key"
COST: dict[str, float] = {"chat-read": 2, "chat-export": 3}


def read(w):
    for name in ("account", "plain", "account.zip"):
        w.copy(name, name)
    w(f"chat list account {K}")
    w(f"chat list account {K} --json")
    w("chat list plain")
    w(f"chat list account.zip {K}")
    w("chat list account --passphrase-file wrong-key")
    w("chat list missing")
    w("chat show plain notes-1")
    w("chat show plain contact-2 -n 5")
    w("chat show plain contact-2 -n 2 --json")
    w("chat show plain '@nobody'")
    w("chat show plain '/(/'")
    w("chat show plain contact-2 -n 0")
    w("chat show plain group-1 --kind event --all")
    w("chat show plain group-1 --sender me -n 3 --not-deleted")
    w("chat show plain contact-2 --since 2026-02-01 --before 2026-01-01")
    w("chat search plain zzzzz")
    w("chat search plain ' '")
    w("chat search plain the --chat contact-2 --json")
    w("chat browse plain --idle 1s --chat '@nobody'")
    w("chat browse plain --idle 0s")
    w("chat browse plain --idle soon")
    w("chat browse plain --port 70000")
    w("chat browse missing")
    w("chat stats plain --chat contact-2")
    w("chat stats plain --chat contact-2 --json")


def export(w):
    for name in ("account", "plain"):
        w.copy(name, name)
    w(f"chat export account out {K} --dry-run")
    w(f"chat export account out {K} --dry-run --json")
    w(f"chat export account out {K} --format text --format html")
    w(f"chat export account out {K}")
    w(f"chat export account out {K} --update --json")
    w(f"chat export account out {K} --update --kind text")
    w("chat export plain none --update")
    w("chat export plain few --chat contact-2 --no-media --json")
    w(f"chat export account red {K} --redact all --format text")
    w(f"chat export account red {K} --update")
    w(f"chat export account red2 {K} --redact names,addresses")
    w("chat export plain small --media-kinds image,voice --media-limit 4kB")
    w("chat export plain linked --media link")
    w("chat export plain none --no-media --media copy")
    w("chat export plain none --media none --media-limit 1MB")
    w("chat render out --format csv --format markdown")
    w("chat render out --format csv --json")
    w("chat render out --format csv --dry-run")
    w("chat render plain --format csv")
    w("chat list out")
    w("chat render out")


SUBJECTS = {"chat-read": read, "chat-export": export}
