"""`valise compose`."""

COST: dict[str, float] = {"compose": 2}


def compose(w):
    for name in ("account", "plain"):
        w.copy(name, name)
    w("compose account --chat contact-2 --text - --passphrase-file key", stdin="hello *there*\n")
    w("compose plain --chat contact-2 --text -", stdin="see https://example.org\n")
    w("compose plain --chat contact-2 --text - --json", stdin="hello\n")
    w("compose plain --chat group-1 --text - --mention nobody", stdin="hello @nobody\n")
    w("compose plain --chat group-1 --text - --mention bob", stdin="hello\n")
    w("compose plain --chat contact-2 --text - --reply-to 999999", stdin="hello\n")
    w("compose plain --chat contact-2 --text - --edit last", stdin="hello\n")
    w("compose plain --chat contact-2 --attach missing.jpg")
    w("compose plain --chat contact-2 --attach key --as-files")
    w("compose plain --chat contact-2 --voice key")
    w("compose plain --chat contact-2 --text - --keep-draft", stdin="later\n")
    w("compose plain --chat contact-2 --restore-draft")
    w("compose plain --chat contact-2 --forget-draft")
    w("compose plain --chat contact-2 --forget-draft --json")
    w("compose plain --chat contact-2 --restore-draft")
    w("compose plain --chat contact-2")
    w("compose plain --text -", stdin="x")
    w("compose plain --chat contact-2 --text - --reply-to last --edit last", stdin="x")
    w("compose plain --chat '@nobody' --text -", stdin="x")
    w("compose plain --chat contact-2 --text missing.txt")


SUBJECTS = {"compose": compose}
