"""`valise archive`."""

import os
import zipfile

K = "--passphrase-file key"
COST: dict[str, float] = {
    "archive-export": 4, "archive-import": 6, "archive-verify": 4, "archive-broken": 4, "archive-salvage": 4,
    "archive-diff": 3}


def hide_packed(w):
    """How well something packs depends on the version of the library."""
    w.hide(r'"(archiveSize|packedSize|packed|storedSize)":\d+', r'"\1":N')
    w.hide(r"(?<=\.zip) \(\d+(\.\d+)? [kM]?B\)", " (N MB)")


def export(w):
    hide_packed(w)
    w.copy("account", "account")
    w.copy("plain", "plain")
    w(f"archive export account a.zip {K} --dry-run")
    w(f"archive export account a.zip {K} --dry-run --json")
    w(f"archive export account a.zip {K}")
    w(f"archive export account a.zip {K}")
    w(f"archive export account a.zip {K} --json")
    w(f"archive export account a.zip {K} --force")
    w(f"archive export account b.zip {K} --json")
    w(f"archive export account c.zip {K} --quiet")
    w("archive export account d.zip --no-input")
    w("archive export account x.zip --passphrase-file wrong-key")
    w("archive export account x.zip --passphrase-file wrong-key --json")
    for options in ("{day}.zip", "{date.zip", "a.zip --keep-last 2", "'a-{date}.zip' --keep-last 0"):
        w(f"archive export plain {options}")
    w("archive export plain p.zip")
    w("archive export plain p1.zip --level 1 --json")
    w("archive export plain p9.zip --level 9 --json")
    w("archive export plain ps.zip --no-compression --json")
    w("archive export plain pd.zip --only-databases")
    w("archive export plain pd2.zip --only-databases --json")
    w("archive export plain pm.zip --without-media")
    w("archive export plain pt.zip --media-since 2026-01-03")
    w("archive export plain pt2.zip --media-since 2026-01-03 --json")
    w("archive export plain pc.zip --chat @alice --dry-run")
    w("archive export plain pc.zip --chat '*' --json")
    w("archive export plain pc2.zip --chat '@nobody'")
    w("archive export plain pr.zip --reproducible")
    w("archive export plain pr2.zip --reproducible --json")
    w(f"archive export account - {K}", to="streamed.zip")
    w(f"archive export account - {K} --quiet", to="streamed2.zip")
    w(f"archive list streamed.zip")
    w("archive export account -", binary=True)
    w("archive export missing x.zip")
    w("archive export missing x.zip --json")
    w("archive export account missing/x.zip --no-input")
    w(f"archive export account account/x.zip {K}")
    w("archive export account account --force --no-input")
    w.write("text.zip", "not an archive")
    w(f"archive export account text.zip --force {K}")
    w.copy("account", "bad")
    w.path("bad/simplex_v1_files/folder").mkdir()
    os.symlink("photo_0001.jpg", w.path("bad/simplex_v1_files/link.jpg"))
    w.write("bad/simplex_v1_files/back\\slash", "x")
    w.write("bad/simplex_v1_files/Case.txt", "x")
    w.write("bad/simplex_v1_files/case.txt", "x")
    w(f"archive export bad bad.zip {K}")
    w(f"archive export bad bad2.zip {K} --json")
    w.copy("account", "half")
    w.remove("half/simplex_v1_agent.db")
    w(f"archive export half half.zip {K}")


def import_(w):
    for name in ("account.zip", "plain.zip", "other.zip"):
        w.copy(name, name)
    w(f"archive import account.zip new {K} --dry-run")
    w(f"archive import account.zip new {K} --dry-run --json")
    w(f"archive import account.zip new {K}")
    w(f"archive import account.zip new {K}")
    w(f"archive import account.zip new2 {K} --json")
    w(f"archive import account.zip new3 {K} --quiet")
    w("archive import account.zip new4 --no-input")
    w("archive import account.zip new5 --no-input --json")
    w("archive import account.zip x --passphrase-file wrong-key")
    w("archive import account.zip x --passphrase-file wrong-key --json")
    w("archive import plain.zip plain --json")
    w("archive import missing.zip x")
    w("archive import missing.zip x --json")
    w(f"archive import key x {K}")
    w(f"archive import account.zip new --into-existing --yes {K}")
    w(f"archive import account.zip new --into-existing --dry-run {K}")
    w(f"archive import account.zip new --into-existing --replace-newer --yes {K} --json")
    w(f"archive import other.zip new --into-existing --yes {K}")
    w(f"archive import other.zip new --into-existing --yes {K} --json")
    w(f"archive import other.zip new --into-existing --replace-newer --yes {K} --dry-run --json")
    w(f"archive import other.zip new --into-existing --replace-newer --keep-previous before {K}")
    w(f"archive import account.zip new --into-existing --replace-newer --keep-previous before {K}")
    w(f"archive import account.zip new --into-existing --replace-newer --keep-previous second {K} --json")
    w("account status new --no-input")
    w("account status new/before --no-input")
    w(f"archive import account.zip reading --as-archive {K}")
    w(f"archive import account.zip reading2 --as-archive {K} --json")
    w(f"account status reading {K}")
    w(f"account status reading {K} --json")
    w(f"account check reading {K} --quick")
    w(f"key change reading {K} --new-passphrase-file other-key")
    w(f"account compact reading {K} --json")
    w(f"media encrypt reading {K}")
    w(f"migrate run reading --confirm yesUp {K}")
    w(f"archive import account.zip reading --into-existing --replace-newer --yes {K}")
    w(f"archive export reading again.zip {K}")
    w(f"archive import - piped {K}", stdin=w.path("account.zip").read_bytes())
    w(f"archive import - piped2 {K} --json", stdin=w.path("account.zip").read_bytes())
    w(f"archive import - piped3 {K}", stdin="no archive")
    w(f"archive import - piped4 {K}", stdin="")
    w(f"archive import account.zip small --max-size 1000 {K}")
    w(f"archive import account.zip small --max-size 1mb {K} --json")
    w.write("a-file", "text")
    w(f"archive import account.zip a-file {K}")
    w(f"archive import account.zip prefixed --prefix mine {K}")
    w(f"account status prefixed {K}")


def verify(w):
    for name in ("account.zip", "plain.zip"):
        w.copy(name, name)
    w("archive list account.zip")
    w("archive list account.zip --json")
    w("archive list plain.zip")
    w("archive list missing.zip")
    w("archive list missing.zip --json")
    w("archive list key")
    w("archive list -", stdin=w.path("plain.zip").read_bytes())
    w("archive list - --json", stdin="text")
    w(f"archive verify account.zip {K}")
    w(f"archive verify account.zip {K} --json")
    w(f"archive verify account.zip {K} --quiet")
    w("archive verify account.zip --no-input")
    w("archive verify account.zip --no-input --json")
    w("archive verify account.zip --no-input --require-verified")
    w("archive verify account.zip --passphrase-file wrong-key")
    w("archive verify account.zip --passphrase-file wrong-key --json")
    w("archive verify plain.zip")
    w("archive verify plain.zip --json --require-verified")
    w(f"archive verify - {K}", stdin=w.path("account.zip").read_bytes())
    w(f"archive verify account.zip {K} --report report.json")
    w(f"archive verify account.zip {K} --report report.json --json")
    w(f"archive verify account.zip {K} --report key")
    w("archive verify missing.zip")
    w("archive verify missing.zip --json")
    w("archive verify .")


def broken_zips(w):
    """Archives with one thing wrong each."""
    w.copy("plain.zip", "whole.zip")
    size = w.path("whole.zip").stat().st_size

    def made(name, damage):
        w.copy("whole.zip", name)
        damage(name)
        return name

    def rewritten(name, change):
        with zipfile.ZipFile(w.path("whole.zip")) as source, zipfile.ZipFile(w.path(name), "w") as target:
            for entry in source.infolist():
                copy = zipfile.ZipInfo(entry.filename, (2026, 1, 2, 3, 4, 6))
                for given, content in change(copy, source.read(entry)):
                    target.writestr(given, content)
        w.path(name).chmod(0o600)
        return name

    def named(old, new):
        def change(entry, content):
            if entry.filename.endswith(old):
                entry.filename = new
            return [(entry, content)]
        return change

    yield made("cut.zip", lambda name: w.cut(name, size // 2))
    yield made("tail-cut.zip", lambda name: w.cut(name, size - 10))
    yield made("flipped.zip", lambda name: w.flip(name, size // 3))
    yield made("trailing.zip", lambda name: w.write(name, w.path(name).read_bytes() + b"more"))
    yield made("prefix.zip", lambda name: w.write(name, b"before" + w.path(name).read_bytes()))
    yield made("header.zip", lambda name: w.flip(name, 0, 2))
    yield rewritten("parent.zip", named("photo_0001.jpg", "../escape.jpg"))
    yield rewritten("absolute.zip", named("photo_0001.jpg", "/etc/escape.jpg"))
    yield rewritten("twice.zip", lambda entry, content: [(entry, content)])
    yield rewritten("no-agent.zip", lambda entry, content: [] if "agent" in entry.filename else [(entry, content)])
    yield rewritten("others.zip", named("photo_0001.jpg", "elsewhere/photo.jpg"))
    yield rewritten("device.zip", named("photo_0001.jpg", "simplex_v1_files/NUL"))
    yield rewritten("bad-database.zip", lambda entry, content: [
        (entry, b"\0" * len(content) if "agent" in entry.filename else content)])
    yield rewritten("torn-database.zip", lambda entry, content: [
        (entry, content[:9 * 4096] + b"\xff" * 64 + content[9 * 4096 + 64:] if "chat.db" in entry.filename else content)])
    yield rewritten("short-media.zip", lambda entry, content: [
        (entry, content[:100] if "photo_0001" in entry.filename else content)])
    w.write("empty.zip", "")
    yield "empty.zip"
    w.write("text.zip", "this is no archive")
    yield "text.zip"
    w.write("nothing.zip", b"PK\5\6" + bytes(18))
    yield "nothing.zip"


def broken(w):
    for index, name in enumerate(broken_zips(w)):
        w(f"archive list {name}")
        w(f"archive verify {name}")
        w(f"archive verify {name} --json")
        w(f"archive import {name} into-{index}")
    w("archive import torn-database.zip damaged --allow-damaged")
    w("archive import torn-database.zip damaged2 --allow-damaged --json")
    w("archive import cut.zip x --json")
    w("archive extract flipped.zip -C extracted")
    w("archive diff cut.zip whole.zip")


def salvage(w):
    names = list(broken_zips(w))
    w("archive salvage whole.zip out-whole.zip")
    w("archive salvage whole.zip out-whole2.zip --json")
    w("archive salvage whole.zip out-whole.zip")
    w("archive salvage whole.zip out-whole.zip --force --quiet")
    for name in names:
        w(f"archive salvage {name} out-{name}")
    w("archive salvage cut.zip out.zip --dry-run --json")
    w("archive salvage flipped.zip out.zip --json")
    w("archive salvage missing.zip out2.zip")
    w("archive salvage cut.zip key --force")
    w.copy("account.zip", "account.zip")
    w.flip("account.zip", 5000)
    w(f"archive salvage account.zip saved.zip {K} --json")
    w("archive salvage account.zip saved2.zip --no-input")
    w("archive salvage account.zip saved3.zip --passphrase-file wrong-key")
    w(f"archive verify saved.zip {K}")


def diff(w):
    for name in ("account", "other", "plain", "account.zip", "plain.zip"):
        w.copy(name, name)
    w(f"archive diff account account.zip {K}")
    w(f"archive diff account account.zip {K} --json")
    w(f"archive diff account account.zip {K} --quiet")
    w(f"archive diff account account.zip {K} --exit-code")
    w(f"archive diff account plain {K}")
    w(f"archive diff account other {K}")
    w(f"archive diff account other {K} --json")
    w(f"archive diff account other {K} --exit-code --quiet")
    w("archive diff account other --no-input")
    w("archive diff account other --passphrase-file wrong-key")
    w("archive diff plain plain.zip")
    w(f"archive diff account missing {K}")
    w("archive diff missing.zip account --json")
    w.copy("plain", "changed")
    w.do("sqlcipher changed/simplex_v1_chat.db \"UPDATE contacts SET local_display_name = local_display_name, unread_chat = 1 WHERE contact_id = 3\"")
    w.remove("changed/simplex_v1_files/photo_0001.jpg")
    w.write("changed/simplex_v1_files/more.txt", "more")
    w.flip("changed/simplex_v1_files/note_0007.txt", 5)
    w("archive diff plain changed")
    w("archive diff plain changed --json")
    w("archive diff plain changed --exit-code")
    w("archive diff changed plain.zip")
    w.copy("account", "rekeyed")
    w.do(f"valise key change rekeyed {K} --new-passphrase-file other-key --quiet")
    w(f"archive diff account rekeyed {K} --other-passphrase-file other-key")
    w(f"archive diff account rekeyed {K} --no-input")


def extract(w):
    for name in ("account.zip", "plain.zip"):
        w.copy(name, name)
    w("archive extract account.zip -C out --dry-run")
    w("archive extract account.zip -C out --dry-run --json")
    w("archive extract account.zip -C out --no-input")
    w("archive extract account.zip -C out --no-input")
    w("archive extract account.zip -C out --force --no-input --json")
    w("archive extract account.zip 'simplex_v1_files/photo*' -C photos")
    w("archive extract account.zip 'nothing*' -C none")
    w("archive extract account.zip 'nothing*' -C none --json")
    w(f"archive extract account.zip -C decrypted --decrypt-media {K}")
    w(f"archive extract account.zip -C decrypted2 --decrypt-media {K} --json")
    w("archive extract account.zip -C x --decrypt-media --no-input")
    w("archive extract account.zip -C x --decrypt-media --passphrase-file wrong-key")
    w("archive extract plain.zip '*.db' -C databases --quiet")
    w("archive extract plain.zip -C small --max-size 1000")
    w("archive extract missing.zip -C x")
    w("archive extract plain.zip -C key")
    w.copy("plain", "plain")
    w("archive extract plain.zip -C plain")


SUBJECTS = {
    "archive-export": export, "archive-import": import_, "archive-verify": verify, "archive-broken": broken,
    "archive-salvage": salvage, "archive-diff": diff, "archive-extract": extract,
}
