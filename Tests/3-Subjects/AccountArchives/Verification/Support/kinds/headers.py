"""Headers that contradict each other, entries that overlap, kinds and methods that an account has not."""

import bz2
import lzma
import struct

from cases import AGENT, CHAT, FILES, case, entry_case, photo_case
from forge import Entry, extra, zip64_extra


@photo_case("local-name", "The local header gives another name.", 13, "localName")
def _(entry):
    entry.local.name = entry.local.name[:-1] + b"_"


@photo_case("local-method", "The local header says that it is deflated.", 13, "localMethod")
def _(entry):
    entry.local.method = 8


@photo_case("local-encrypted", "The local header says that it is encrypted.", 13, "localFlags")
def _(entry):
    entry.local.flags |= 1


@entry_case("local-not-utf8", "Only the directory says that a name is UTF-8.", 13, "localFlags")
def _():
    entry = Entry(FILES + "\u0444\u043e\u0442\u043e.txt", b"1234")
    entry.local.flags &= ~0x800
    return entry


@entry_case("directory-not-utf8", "Only the local header says that a name is UTF-8.", 13, "localFlags")
def _():
    entry = Entry(FILES + "\u0444\u043e\u0442\u043e.txt", b"1234")
    entry.central.flags &= ~0x800
    return entry


def flag(bit, status, *says):
    @photo_case(f"flag-{bit}", f"Bit {bit} of the flags is other in the directory than in the local header.", status, *says)
    def _(entry):
        entry.central.flags ^= 1 << bit


NOTED = '"flagDifferenceCount":1'
flag(0, 14, "encrypted")
flag(1, 0, NOTED)
flag(2, 0, NOTED)
for number in (3, 4, 5, 7, 8, 9, 10, 12, 14, 15):
    flag(number, 13, "localFlags")
flag(6, 14, "encrypted")
flag(11, 0, NOTED)
flag(13, 14, "encrypted")


def hidden(name, what, *entries, at=None, kind="entry"):
    """Entries that lie in the file and are not named by the directory."""

    @case(name, what, 14, f'"kind":"{kind}"', '"importOutlook":"refused"')
    def _(account):
        archive = account.zip()
        made = [entry(account) for entry in entries]
        for entry in made:
            entry.in_directory = False
        place = len(archive.entries) if at is None else at
        archive.entries[place:place] = made
        return archive.bytes()


hidden("hidden-entry", "A photo lies between the entries, and the directory does not name it.",
       lambda account: Entry(FILES + "hidden.jpg", b"1234"), at=1)
hidden("hidden-file", "A file that is no part of an account lies behind the entries, unnamed.",
       lambda account: Entry("evil.sh", b"rm -rf /"))
hidden("hidden-database", "Another account's chat database lies in front, and the directory does not name it.",
       lambda account: Entry(CHAT, account.unpack("stranger")[CHAT]), at=0)
hidden("hidden-databases", "Both databases of another account lie behind the entries, unnamed.",
       lambda account: Entry(CHAT, account.unpack("stranger")[CHAT]).deflate(),
       lambda account: Entry(AGENT, account.unpack("stranger")[AGENT]).deflate())


def gap(name, what, status, gap, *says):
    @case(name, what, status, *says)
    def _(account):
        return account.zip().set(gap=gap(account)).bytes()


gap("hidden-archive", "A whole other archive lies before the directory.", 14,
    lambda account: account.variant("stranger"), '"kind":"entry"', '"kind":"directory"', '"kind":"end"')
gap("hidden-directory", "Entries of a second directory lie before the directory.", 14,
    lambda account: Entry(CHAT, account.chat).central_bytes(0), '"kind":"directory"')
gap("gap-zeros", "Zeros lie before the directory.", 0, lambda account: bytes(70000), '"hiddenCount":0')
gap("gap-text", "A text lies before the directory.", 0, lambda account: b"made by hand, PK 3 4 " * 100)


@case("hidden-end", "The mark of an end record hides in the comment, too short for a record.", 14, '"kind":"end"')
def _(account):
    return account.zip().set(comment=b"kept PK\5\6").bytes()


@photo_case("descriptor-unannounced", "A descriptor follows the data, and no header announces it.", 0)
def _(entry):
    entry.descriptor = b"PK\x07\x08" + struct.pack(
        "<III", entry.central.crc, entry.central.packed_size, entry.central.size)


@photo_case("local-descriptor", "The local header announces a descriptor.", 13, "localFlags")
def _(entry):
    entry.local.flags |= 8


@photo_case("local-size", "The local header gives another size.", 13, "localSizes")
def _(entry):
    entry.local.size += 1


@photo_case("local-crc", "The local header gives another checksum.", 13, "localSizes")
def _(entry):
    entry.local.crc ^= 1


@photo_case("local-missing", "There is no local header where the directory says.", 13, "localMissing")
def _(entry):
    entry.local.signature = b"\0\0\0\0"


@photo_case("local-outside", "The local header is said to lie behind the end.", 13, "localOutside")
def _(entry):
    entry.offset = 0x7FFF0000


@photo_case("descriptor-crc", "The descriptor behind the data gives another checksum.", 13, "localSizes")
def _(entry):
    entry.stream()
    entry.descriptor = entry.descriptor[:4] + struct.pack("<I", entry.central.crc ^ 1) + entry.descriptor[8:]


@photo_case("descriptor-missing", "The descriptor that is announced is missing.", 13, "localSizes")
def _(entry):
    entry.stream().descriptor = b""


@photo_case("zip64-field-short", "Both sizes stand in a Zip64 field that has one.", 13, "zip64")
def _(entry):
    entry.central.extra = zip64_extra(entry.central.size)
    entry.central.size = entry.central.packed_size = 0xFFFFFFFF


@photo_case("zip64-field-twice", "Two Zip64 fields give different sizes.", 13, "directoryDamaged")
def _(entry):
    size = entry.central.size
    entry.both(size=0xFFFFFFFF, extra=zip64_extra(size) + zip64_extra(size + 1))


@photo_case("encrypted", "An entry is encrypted by zip's own means.", 14, "encrypted")
def _(entry):
    entry.both(flags=entry.central.flags | 1)


@photo_case("encrypted-aes", "An entry is encrypted with AES, as by WinZip and 7-Zip.", 14, "encrypted")
def _(entry):
    aes = extra(0x9901, struct.pack("<H2sBH", 2, b"AE", 3, 0))
    entry.both(flags=entry.central.flags | 1, method=99, extra=aes, version=51)


@photo_case("bzip2", "An entry is packed with bzip2.", 14, "method")
def _(entry):
    entry.pack(12, bz2.compress(entry.data)).both(version=46)


@photo_case("lzma", "An entry is packed with LZMA.", 14, "method")
def _(entry):
    packer = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1, "preset": 6}])
    stream = packer.compress(entry.data) + packer.flush()
    properties = b"\x5d" + struct.pack("<I", 1 << 23)
    entry.pack(14, b"\x09\x04\x05\x00" + properties + stream).both(version=63, flags=0x802)


@photo_case("zstd", "An entry is packed with Zstandard, in one raw block.", 14, "method")
def _(entry):
    size = len(entry.data)
    block = struct.pack("<I", size << 3 | 1)[:3] + entry.data
    entry.pack(93, b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", size) + block).both(version=63)


@photo_case("version-9", "An entry asks for version 9.0 of the format.", 14, "version")
def _(entry):
    entry.both(version=90)


def special(name, what, defect, mode, data=b"/etc/passwd"):
    @entry_case(name, what, 14, defect)
    def _():
        entry = Entry(FILES + "special", data)
        entry.attributes = mode << 16
        return entry


special("symbolic-link", "A symbolic link to /etc/passwd.", "symbolicLink", 0o120777)
special("device", "A character device.", "specialFile", 0o020666, b"")
special("pipe", "A named pipe.", "specialFile", 0o010666, b"")
special("folder-mode", "A folder by its mode, a file by its name.", "specialFile", 0o040755)


@entry_case("folder-with-data", "A folder that holds data.", 14, "folderWithData")
def _():
    return Entry(FILES, b"data of a folder")


@case("shared-header", "Two directory entries lead to the same data.", 13, "overlap")
def _(account):
    archive = account.zip(Entry(account.photo, account.contents[account.photo]))
    copy = archive.entries[-1].both(name=b"simplex_v1_files/copy.jpg")
    copy.has_local, copy.offset = False, archive.start(account.photo)
    return archive.bytes()


@case("quoted-overlap", "The local header of an entry is data of another: how overlapping bombs are built.", 13,
      "overlap")
def _(account):
    inner = Entry(FILES + "inner", b"0" * 64)
    outer = Entry(FILES + "outer", inner.local_bytes())
    archive = account.zip(outer, inner)
    inner.offset = archive.start(outer.name) + 30 + len(outer.local.name)
    inner.has_local = False
    return archive.bytes()


@case("databases-share", "Both databases are the same data by the directory.", 13)
def _(account):
    archive = account.zip()
    archive.entry(AGENT).offset = archive.start(CHAT)
    return archive.bytes()
