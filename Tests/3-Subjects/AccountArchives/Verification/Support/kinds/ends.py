"""The file as a whole: cut, glued, and end records that lie."""

import struct

from cases import AGENT, CHAT, case
from forge import Entry, Zip


@case("empty-file", "A file without bytes.", 13, "emptyFile")
def _(account):
    return b""


@case("web-page", "The page that a server sent in place of the archive.", 13, "notAZip")
def _(account):
    return b"<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>\n" * 40


@case("zeros", "As long as the archive, and all zeros: space was reserved and nothing written.", 13, "notAZip")
def _(account):
    return b"\0" * len(account.exported)


@case("database-alone", "The chat database in place of an archive.", 13, "notAZip")
def _(account):
    return account.chat


@case("end-record-alone", "A zip without entries.", 13)
def _(account):
    return Zip([]).bytes()


def cut(name, what, defect, position):
    @case(name, what, 13, defect)
    def _(account):
        archive = account.zip()
        return archive.bytes()[: position(archive)]


MISSING = "endRecordMissing"
cut("cut-in-end-record", "The last ten bytes are missing.", MISSING, lambda zip: -10)
cut("cut-end-record", "The end record is missing.", MISSING, lambda zip: -22)
cut("cut-in-directory", "It ends in the directory.", MISSING, lambda zip: zip.directory_start() + 200)
cut("cut-directory", "It ends where the directory should begin.", MISSING, Zip.directory_start)
cut("cut-in-agent", "It ends in the agent database.", MISSING, lambda zip: zip.start(AGENT) + 5000)
cut("cut-in-header", "It ends in the first header.", MISSING, lambda zip: 20)
cut("cut-half", "The second half is missing.", MISSING, lambda zip: zip.directory_start() // 2)


@case("cut-comment", "Its comment is cut.", 13, "trailingBytes")
def _(account):
    return account.zip().set(comment=b"kept", comment_length=9).bytes()


@case("front-missing", "The first thousand bytes are missing.", 13, "directoryDamaged")
def _(account):
    return account.zip().bytes()[1000:]


@case("hole", "4,096 bytes in its middle are missing.", 13, "directoryDamaged")
def _(account):
    whole = account.zip().bytes()
    middle = len(whole) // 2
    return whole[:middle] + whole[middle + 4096:]


@case("bytes-behind", "Three bytes follow it.", 13, "trailingBytes")
def _(account):
    return account.zip().bytes() + b"\r\n\x1a"


@case("zeros-behind", "A block of zeros follows it.", 13, "trailingBytes")
def _(account):
    return account.zip().bytes() + b"\0" * 4096


@case("bytes-in-front", "A script stands before it, as before archives that unpack themselves.", 13, "prefixBytes")
def _(account):
    return account.zip().set(prefix=b"#!/bin/sh\nexec unzip \"$0\"\n").bytes()


@case("two-concatenated", "The archive twice, one behind the other.", 13, "prefixBytes")
def _(account):
    return account.zip().bytes() * 2


@case("other-in-front", "An archive of something else stands before it.", 13, "prefixBytes")
def _(account):
    return account.zip().set(prefix=Zip([Entry("note.txt", b"other")]).bytes()).bytes()


@case("end-in-comment", "A second end record, of an empty archive, hides in the comment.", 13, "trailingBytes")
def _(account):
    return account.zip().set(comment=Zip([]).bytes() + b"\0").bytes()


@case("end-in-comment-exact", "A second end record ends the comment, and each is right for itself.", 13,
      "prefixBytes")
def _(account):
    return account.zip().set(comment=Zip([]).bytes()).bytes()


def end(name, what, status, defect, **fields):
    @case(name, what, status, defect)
    def _(account):
        return account.zip().set(**fields).bytes()


end("count-more", "The end record counts one entry too many.", 13, "directoryDamaged", count=11)
end("count-less", "The end record counts one entry alone.", 13, "entryCount", count=1)
end("count-65535", "The end record counts 65,535 entries.", 13, "entryCount", count=0xFFFF)
end("directory-outside", "The directory is said to lie behind the end.", 13, "directoryDamaged", offset=0x7FFFFFFF)
end("directory-shifted", "The directory is said to begin at the fifth byte.", 13, "prefixBytes", offset=5)
end("directory-long", "The directory is said to be larger than the file.", 13, "directoryDamaged",
    size=0x7FFFFFFF)
end("disk-1", "The end record says that it lies on the second disk.", 14, "severalDisks", disk=1)
end("zip64-missing", "A Zip64 record is announced and missing.", 13, "zip64", zip64={"record": False})
end("zip64-outside", "The Zip64 record is said to lie at 2^64 - 1.", 13, "zip64", zip64={"at": 2**64 - 1})
end("zip64-long", "The Zip64 record has an absurd length.", 13, "zip64", zip64={"length": 2**64 - 1})
end("zip64-count", "The Zip64 record counts other entries than the end record.", 13, "zip64", zip64={"count": 1})
end("zip64-2^60", "The Zip64 record counts 2^60 entries.", 13, "entryCount", zip64={"count": 2**60}, count=0xFFFF)
end("zip64-disks", "The Zip64 locator tells of two disks.", 14, "severalDisks", zip64={"disks": 2})


@case("split-last-part", "The last of two parts, as `zip -s` makes them.", 14, "severalDisks")
def _(account):
    archive = account.zip().set(disk=1, directory_disk=1, count_here=2)
    whole = archive.bytes()
    return whole[archive.start(AGENT):]


@case("split-first-part", "The first of two parts, as `zip -s` makes them.", 14, "severalDisks")
def _(account):
    archive = account.zip()
    return b"PK\x07\x08" + archive.bytes()[: archive.start(AGENT)]


@case("directory-signature", "The signature of a directory entry is damaged.", 13, "directoryDamaged")
def _(account):
    archive = account.zip()
    archive.entry(CHAT).central.signature = b"PK\x01\x03"
    return archive.bytes()


@case("directory-zeroed", "The directory is zeros.", 13, "directoryDamaged")
def _(account):
    archive = account.zip()
    whole, start = archive.bytes(), archive.directory_start()
    return whole[:start] + b"\0" * (len(whole) - 22 - start) + whole[-22:]


@case("directory-name-long", "A name in the directory is said to run beyond the end.", 13, "directoryDamaged")
def _(account):
    archive = account.zip()
    archive.entries[-1].central.name_length = 0xFFF0
    return archive.bytes()


@case("directory-extra-cut", "An extra field in the directory is longer than there is room.", 13,
      "directoryDamaged")
def _(account):
    archive = account.zip()
    archive.entries[-1].central.extra = struct.pack("<HH", 1, 24) + b"\1\2"
    return archive.bytes()
