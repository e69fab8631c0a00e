"""`valise session`, and `valise chat` on stores of Session."""

COST: dict[str, float] = {}

SAMPLE = "session-sample"


def begin(w):
    """A profile of Session Desktop, a folder of Session iOS and a backup, with their keys."""
    w.do(f"{SAMPLE} desktop profile 120 7")
    w.do(f"{SAMPLE} phone phone 120 7")
    w.do(f"{SAMPLE} backup session.bak 120 7")
    w.write("wrong", "another password")
    w.write("words", "abbey " * 12 + "abbey")
    w.write("misspelled", "abbez " * 12 + "xylophone")
    w.write("moved", "amaze buffet cake entrance symptoms tiger lamb maze python nestle dusted faxed faxed")
    w.write("seed", "000102030405060708090a0b0c0d0e0f")


def reading(w):
    begin(w)
    w("session info profile")
    w("session info profile --json")
    w("session info phone --passphrase-file phone.key")
    w("session info phone --passphrase-file phone.key --json")
    w("session info session.bak --passphrase-file session.bak.key")
    w("session info session.bak --passphrase-file session.bak.key --json")
    w("session info session.bak --passphrase-file wrong")
    w("session info session.bak --no-input")
    w("session info phone --passphrase-file wrong")
    w("session info missing")
    w("session info .")
    w("session check profile")
    w("session check profile --json")
    w("session check phone --passphrase-file phone.key --quick")
    w("session check session.bak --passphrase-file session.bak.key")
    w("account check profile --quick")
    w("account check session.bak --passphrase-file session.bak.key --json")
    w("account status profile")
    w("chat list profile")
    w("chat list phone --passphrase-file phone.key --json")
    w("chat list session.bak --passphrase-file session.bak.key --include-expired")
    w("chat search profile Message --quiet")
    w("chat show session.bak '*notes' -n 3 --passphrase-file session.bak.key")
    w("chat search profile Message --index")
    w("chat stats phone --passphrase-file phone.key")
    w("chat export profile out --format text --json")


def extracting(w):
    begin(w)
    w("session extract session.bak container --passphrase-file session.bak.key")
    w("session extract session.bak container --passphrase-file session.bak.key")
    w("chat list container --passphrase-file session.bak.key")
    w("session extract session.bak parts --attachments --passphrase-file session.bak.key --json")
    w("session extract profile attachments")
    w("session extract profile attachments --include-expired --json")
    w("session words profile")
    w("session words profile --json")
    w("session words phone --passphrase-file phone.key --language spanish")
    w("session words --passphrase-file words")
    w("session words --passphrase-file words --json")
    w("session words --passphrase-file misspelled")
    w("session words --passphrase-file misspelled --json")
    w("session words --passphrase-file moved")
    w("session words --passphrase-file seed --seed --json")
    w("session words --passphrase-file words --seed-to new-seed")
    w("session words --passphrase-file words --seed-to new-seed")
    w("session words --passphrase-file words --seed")
    w("session words profile --seed")
    w("session words --language klingon")


SUBJECTS = {"session-reading": reading, "session-extracting": extracting}
