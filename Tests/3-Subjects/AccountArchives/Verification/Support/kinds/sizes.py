"""Sizes that lie, bombs, and streams that cannot be unpacked."""

from cases import FILES, chat_case, entry_case, photo_case, case
from forge import Entry, deflated, zip64_extra, Zip


@entry_case("bomb", "64 MiB of zeros in 64 KiB.", 14, "ratio")
def _():
    return Entry(FILES + "zeros", bytes(64 << 20)).deflate()


@entry_case("bomb-claimed", "An entry claims 10 GiB in 10 KiB.", 14, "ratio")
def _():
    entry = Entry(FILES + "bomb", b"0" * 10240).deflate().both(extra=zip64_extra(10 << 30), version=45)
    entry.packed += bytes(10240)
    return entry.both(size=0xFFFFFFFF, packed_size=len(entry.packed))


@case("bomb-nested", "A zip of zips that grow a thousand times; only who unpacks them too falls for it.", 0)
def _(account):
    inner = Zip([Entry(f"{index}", bytes(4 << 20)).deflate() for index in range(4)]).bytes()
    return account.zip(Entry("nested.zip", inner).deflate()).bytes()


@case("sizes-overflow", "Three entries claim 2^62 bytes each.", 13, "totalSize")
def _(account):
    archive = account.zip()
    for index in range(3):
        entry = Entry(f"{FILES}{index}", b"1").deflate()
        archive.entries.append(
            entry.both(size=0xFFFFFFFF, packed_size=0xFFFFFFFF, extra=zip64_extra(1 << 62, 1 << 62)))
    return archive.bytes()


@photo_case("stored-two-sizes", "A stored entry has two different sizes.", 13, "sizeMismatch")
def _(entry):
    entry.add(size=5)


@chat_case("unpacks-to-more", "The chat database unpacks to ten bytes more than it claims.", 13, "sizeMismatch")
def _(entry):
    entry.add(size=-10)


@chat_case("unpacks-to-less", "The chat database unpacks to ten bytes less than it claims.", 13, "sizeMismatch")
def _(entry):
    entry.add(size=10)


@chat_case("stream-damaged", "The packed stream of the chat database starts with a block of an unknown kind.", 13)
def _(entry):
    entry.packed = b"\x07" + entry.packed[1:]


@chat_case("stream-cut", "The packed stream of the chat database is half as long.", 13)
def _(entry):
    entry.packed = entry.packed[: len(entry.packed) // 2]
    entry.both(packed_size=len(entry.packed))


@chat_case("stream-longer", "Four bytes follow the packed stream of the chat database.", 13, "sizeMismatch")
def _(entry):
    entry.packed += b"\0\0\0\0"
    entry.both(packed_size=len(entry.packed))


@photo_case("media-stream-damaged", "The packed stream of a photo cannot be unpacked.", 3)
def _(entry):
    entry.deflate()
    entry.packed = b"\x07" + entry.packed[1:]


@photo_case("media-stream-cut", "The packed stream of a photo is half as long.", 3)
def _(entry):
    entry.pack(8, deflated(entry.data)[: len(entry.data) // 2])
