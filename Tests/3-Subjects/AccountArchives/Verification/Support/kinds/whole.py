"""Archives that are good, in every form that writers give them."""

import io
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zipfile

from cases import CHAT, FILES, case
from forge import Entry, extra, unicode_name, zip64_extra

NEW_YEAR = 1704067200  # 2024, in seconds since 1970
GOOD = '"verdict":"good"'


@case("as-exported", "As `valise archive export` wrote it.", 0, GOOD)
def _(account):
    return account.exported


@case("without-passphrase", "As exported; no passphrase is given.", 0, key="none")
def _(account):
    return account.exported


@case("wrong-passphrase", "As exported; a wrong passphrase is given.", 12, key="wrong")
def _(account):
    return account.exported


@case("stored", "Every entry is stored.", 0, GOOD)
def _(account):
    return account.zip().bytes()


@case("deflated", "Every entry is deflated.", 0, GOOD)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        entry.deflate()
    return archive.bytes()


def streamed(account, **form):
    archive = account.zip()
    for entry in archive.entries:
        entry.deflate().stream(**form)
    return archive


@case("descriptors", "Sizes and checksums follow the data.", 0, GOOD)
def _(account):
    return streamed(account).bytes()


@case("descriptors-unsigned", "Sizes and checksums follow the data, without the optional signature.", 0, GOOD)
def _(account):
    return streamed(account, signed=False).bytes()


@case("descriptors-wide", "Sizes of 64 bits follow the data.", 0, GOOD)
def _(account):
    archive = streamed(account, wide=True)
    for entry in archive.entries:
        entry.local.extra = zip64_extra(0, 0)
        vars(entry.local).update(size=0xFFFFFFFF, packed_size=0xFFFFFFFF, version=45)
    return archive.bytes()


@case("zip64-end", "With a Zip64 end record that nothing needs.", 0, GOOD)
def _(account):
    return account.zip().set(zip64={}, count=0xFFFF, size=0xFFFFFFFF, offset=0xFFFFFFFF).bytes()


@case("zip64-sizes", "The sizes of every entry stand in Zip64 fields.", 0, GOOD)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        size = len(entry.data)
        entry.both(size=0xFFFFFFFF, packed_size=0xFFFFFFFF, extra=zip64_extra(size, size), version=45)
    return archive.bytes()


@case("reversed", "The entries come in the opposite order.", 0, GOOD)
def _(account):
    archive = account.zip()
    archive.entries.reverse()
    return archive.bytes()


def folder(name):
    entry = Entry(name).both(version=20)
    entry.attributes = 0o040700 << 16 | 0x10
    return entry


@case("folders", "Folders are entries too.", 0, GOOD)
def _(account):
    archive = account.zip()
    archive.entries[:0] = [folder(FILES), folder("simplex_v1_assets/")]
    return archive.bytes()


@case("foreign-entries", "Two harmless entries that are no part of an account.", 0)
def _(account):
    return account.zip(Entry("README.txt", b"kept on the shelf"), Entry("other/note.txt", b"2024")).bytes()


@case("comment", "The archive and an entry have comments.", 0, GOOD)
def _(account):
    archive = account.zip().set(comment="kept on the shelf, 2024 \u2713".encode())
    archive.entry(CHAT).comment = b"the chats"
    return archive.bytes()


@case("extra-fields", "Times, owners, padding and an equal second name stand in extra fields.", 0, GOOD)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        times = extra(0x5455, b"\x01" + struct.pack("<I", NEW_YEAR))
        owner = extra(0x7875, b"\x01\x04" + struct.pack("<I", 0) + b"\x04" + struct.pack("<I", 0))
        same = unicode_name(entry.name, entry.central.name)
        entry.both(extra=times + owner + same)
        entry.local.extra += b"\0\0\0"
    return archive.bytes()


@case("no-dates", "Dates of zero, made by DOS, without the flag for UTF-8.", 0, GOOD)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        entry.both(date=0, flags=0)
        entry.made_by, entry.attributes = 0x0014, 0x20
    return archive.bytes()


@case("gap", "Bytes that belong to no entry lie before the directory.", 0, GOOD)
def _(account):
    return account.zip().set(gap=b"\0" * 512).bytes()


@case("no-wallpapers", "Without the wallpapers, which no message needs.", 0, GOOD)
def _(account):
    archive = account.zip()
    archive.entries = [entry for entry in archive.entries if "wallpapers" not in entry.name]
    return archive.bytes()


@case("made-by-python", "Made by Python's zipfile.", 0, GOOD)
def _(account):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in account.contents.items():
            info = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            info.external_attr = 0o100600 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def by_tool(account, *command):
    """Made by a program where it is installed, else the plain form."""
    if not shutil.which(command[0]):
        return account.zip().bytes()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, data in account.contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
            os.utime(folder / path, (NEW_YEAR, NEW_YEAR))
        subprocess.run(
            [part.format(out="out.zip") for part in command] + sorted(path.name for path in folder.iterdir()),
            cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return (folder / "out.zip").read_bytes()


@case("made-by-zip", "Made by Info-ZIP's zip.", 0, GOOD)
def _(account):
    return by_tool(account, "zip", "-qr", "{out}")


@case("made-by-bsdtar", "Made by bsdtar.", 0, GOOD)
def _(account):
    return by_tool(account, "bsdtar", "--format", "zip", "-cf", "{out}")


@case("made-by-7z", "Made by 7-Zip.", 0, GOOD)
def _(account):
    return by_tool(account, "7z", "a", "-tzip", "-bd", "{out}")


@case("utf8-unsaid", "A name that is UTF-8, and neither header says it, as the Archive Utility of macOS writes.", 0, GOOD)
def _(account):
    entry = Entry(FILES + "\u0444\u043e\u0442\u043e.txt", b"1234")
    return account.zip(entry.both(flags=0)).bytes()


@case("utf8-of-ascii", "Only the directory says that names of ASCII are UTF-8.", 0, GOOD)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        entry.local.flags &= ~0x800
    return archive.bytes()
