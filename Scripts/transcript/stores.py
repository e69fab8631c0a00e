"""`valise store` and the refusals of `valise mount`."""

COST: dict[str, float] = {}

LINE = "a line of a file that has several chunks\n"


def begin(w):
    """A store in a folder, and a folder of files beside it."""
    w.hide(r'("(?:freed|size|storedSize|readSize|verifiedSize|orphanSize)":)\d+', r"\1N")
    w.hide(r'("device":")[^"]*"', r'\1NAME"')
    # A manifest has a time, whose fraction may end in a zero, which is not written.
    w.hide(r"\b4(?:0\d|1\d) bytes", "411 bytes")
    w.path("store").mkdir()
    w.path("notes").mkdir()
    w.write("notes/a.txt", LINE * 4000)
    w.write("notes/b.txt", "small\n")
    w.write("store-key", "42" * 32)
    w.write("wrong-store-key", "43" * 32)


def push(w, folder="notes", device="desk"):
    w.do(f"valise store push store {folder} --device {device} --quiet")


def files(w):
    begin(w)
    w("store put store notes/a.txt letters/ --device desk")
    w("store put store notes/a.txt letters/ --device desk")
    w("store put store notes/b.txt letters/deep/b.txt --device desk --json")
    w("store put store notes/b.txt letters/a.txt --device desk --dry-run --force")
    w("store put store notes/b.txt letters/a.txt --device desk")
    w("store put store notes/b.txt letters/a.txt --device desk --force")
    w("store put store notes/b.txt ../b.txt")
    w("store put store notes")
    w("store put store missing")
    w("store list store")
    w("store list store letters")
    w("store list store --recursive --json")
    w("store list store --recursive --long --json")
    w("store list store none")
    w("store list missing")
    w("store list ftp://host/store")
    w("store list s3:https://127.0.0.1:9/bucket", env={"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""})
    w("store get store letters/a.txt out.txt")
    w("store get store letters/a.txt out.txt")
    w("store get store letters/a.txt out.txt --force --json")
    w("store get store letters copies --dry-run")
    w("store get store letters copies --dry-run --json")
    w("store get store letters copies")
    w("store get store none")
    w("store remove store letters --dry-run")
    w("store remove store letters --recursive --dry-run")
    w("store remove store letters --recursive --dry-run --json")
    w("store remove store letters/a.txt --no-input")
    w("store remove store letters/a.txt --yes")
    w("store remove store letters --recursive --yes --json")
    w("store remove store letters/a.txt --yes")


def care(w):
    begin(w)
    w("store status store")
    w("store status store --exit-code --json")
    push(w)
    w("store verify store")
    w("store verify store --json")
    w("store verify store --part 1/2")
    w("store verify store --part 3/2")
    w("store verify store --structure")
    w("store status store --exit-code")
    chunk = sorted(w.path("store/chunks").iterdir(), key=lambda path: path.stat().st_size)[-1]
    w.flip(str(chunk.relative_to(w.root)), 100)
    w("store verify store")
    w("store verify store --json")
    w("store get store a.txt damaged.txt")
    chunk.unlink()
    w("store verify store --structure")
    w("store status store --exit-code")
    w("store put store notes/a.txt --device desk --force --rewrite-chunks --quiet")
    w("store verify store --quiet")
    w("store collect store --dry-run")
    w("store collect store --dry-run --json")
    w("store collect store --yes")
    w("store collect store --yes --json")
    w("store collect store --grace 1h")


def synchronization(w):
    begin(w)
    w("store push store notes --device desk --dry-run")
    w("store push store notes --device desk --dry-run --json")
    w("store push store notes --device desk")
    w("store push store notes --device desk")
    w("store diff store notes --exit-code")
    w.path("copy").mkdir()
    w("store pull store copy --device phone --json")
    w("store pull store copy --device phone")
    w.write("notes/a.txt", "of the desk\n")
    w.write("copy/a.txt", "of the phone\n")
    w.write("copy/c.txt", "new\n")
    w.remove("notes/b.txt")
    w("store diff store notes")
    w("store diff store notes --exit-code --json")
    w("store push store notes --device desk --no-input")
    w("store push store notes --device desk --yes")
    w("store pull store copy --device phone --dry-run")
    w("store pull store copy --device phone --yes")
    w("store pull store copy --device phone --json --yes")
    w("store pull store copy --device phone --conflicts keep-both")
    w("store pull store copy --device phone --conflicts mine")
    w("store push store missing")


def keys(w):
    begin(w)
    w("store put store notes/a.txt --device desk --key-file store-key --quiet")
    w("store list store --long --json")
    w("store get store a.txt out.txt")
    w("store get store a.txt out.txt --json")
    w("store get store a.txt out.txt --key-file wrong-store-key")
    w("store get store a.txt out.txt --key-file store-key")
    w("store get store a.txt out.txt --force", env={"VALISE_STORE_KEY_FILE": "store-key"})
    w("store put store notes/b.txt a.txt --device desk --force")
    w("store verify store")
    w("store unlock store --key-file store-key")
    w("store unlock store --key-file store-key --json")
    w("store unlock store --key-file wrong-store-key")
    w("store unlock store")
    w("store unlock store --salt 000102030405060708090a0b0c0d0e0f --passphrase-file key")
    w("store unlock store --salt-hex 00 --passphrase-file key")
    w("store unlock store --salt-text salt --no-input")
    w("store get store a.txt out.txt --passphrase-file key")
    w("store get store a.txt out.txt --key-file store-key --salt-text x")
    w("store get store a.txt out.txt --recovery-phrase --passphrase-file key")
    w("store get store a.txt out.txt --key-file notes/a.txt")


def accounts(w):
    begin(w)
    w.copy("account.zip", "account.zip")
    w.do("valise store put store account.zip archives/ --quiet")
    name = f"store://{w.path('store')}::archives/account.zip"
    w(f"archive list {name}")
    w(f"chat list {name} --passphrase-file key")
    w(f"account check {name} --passphrase-file key --quiet")
    w(f"chat list {name}x --passphrase-file key")
    w(f"chat list store://{w.path('store')} --passphrase-file key")
    w(f"chat search {name} text --index --passphrase-file key")
    w("mount store")
    w("mount store notes --webdav")
    w("mount missing --webdav")
    w("mount s3:https://127.0.0.1:9/bucket --webdav")


SUBJECTS = {
    "store-files": files, "store-care": care, "store-synchronization": synchronization, "store-keys": keys,
    "store-accounts": accounts,
}
