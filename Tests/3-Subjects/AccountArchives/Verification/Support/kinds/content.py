"""Content that is not what was written: checksums, pages, media."""

import random

from cases import AGENT, CHAT, PAGE, case, flipped


def changed(name, what, status, *says):
    """A change of the archive."""

    def add(change):
        def make(account):
            archive = account.zip()
            change(archive, account)
            return archive.bytes()

        case(name, what, status, *says)(make)
        return change

    return add


def rot(archive, name, position):
    """A bit that flipped in the archive: the checksum tells."""
    entry = archive.entry(name)
    entry.packed = flipped(entry.packed, position)


@changed("rot-chat", "A bit of the chat database flipped in the archive.", 13)
def _(archive, account):
    rot(archive, CHAT, 17 * PAGE + 100)


@changed("rot-agent", "A bit of the agent database flipped in the archive.", 13)
def _(archive, account):
    rot(archive, AGENT, 5 * PAGE + 100)


@changed("rot-photo", "A bit of a plain photo flipped in the archive.", 3)
def _(archive, account):
    rot(archive, account.photo, 2000)


@changed("rot-sealed", "A bit of an encrypted file flipped in the archive.", 3)
def _(archive, account):
    rot(archive, account.sealed, 2000)


@changed("rot-wallpaper", "A bit of the wallpaper flipped in the archive.", 3)
def _(archive, account):
    rot(archive, next(entry.name for entry in archive.entries if "wallpapers" in entry.name), 2000)


@changed("wrong-crc-chat", "Both headers give a wrong checksum for the chat database, which is whole.", 13)
def _(archive, account):
    archive.entry(CHAT).both(crc=1)


def pages(name, what, change, agent=False):
    """A change of a database with a right checksum: the HMACs tell."""

    @case(name, what, 13)
    def _(account):
        if agent:
            return account.databases(agent=change(account.agent, account))
        return account.databases(chat=change(account.chat, account))


def page(data, number):
    return data[(number - 1) * PAGE: number * PAGE]


def with_page(data, number, content):
    return data[: (number - 1) * PAGE] + content + data[number * PAGE:]


pages("page-bit", "A bit of a page was flipped before the archive was made.",
      lambda data, _: flipped(data, 20 * PAGE + 77))
pages("page-bit-agent", "A bit of a page of the agent database was flipped before the archive was made.",
      lambda data, _: flipped(data, 9 * PAGE + 77), agent=True)
pages("page-bit-hmac", "A bit of a page's HMAC was flipped.", lambda data, _: flipped(data, 20 * PAGE - 5))
pages("page-swapped", "Two pages changed places.",
      lambda data, _: with_page(with_page(data, 12, page(data, 13)), 13, page(data, 12)))
pages("page-zeroed", "A page is zeros, as where a block of the disk was lost.",
      lambda data, _: with_page(data, 30, bytes(PAGE)))
pages("page-random", "A page is random bytes.",
      lambda data, _: with_page(data, 30, random.Random(5).randbytes(PAGE)))
pages("page-foreign", "A page of the agent database stands in the chat database.",
      lambda data, account: with_page(data, 12, page(account.agent, 12)))
pages("page-repeated", "A page stands in place of the next one too.",
      lambda data, _: with_page(data, 13, page(data, 12)))
pages("pages-missing", "The last ten pages are missing.", lambda data, _: data[: -10 * PAGE])
pages("page-cut", "The last page is cut in its middle.", lambda data, _: data[:-2000])
pages("page-more", "A page of zeros follows the last one.", lambda data, _: data + bytes(PAGE))
pages("page-appended", "A page of the database follows its last one once more.",
      lambda data, _: data + page(data, 7))
pages("first-page", "A bit of the first page was flipped before the archive was made.",
      lambda data, _: flipped(data, 100))
pages("bytes-more", "A hundred bytes follow the last page.", lambda data, _: data + bytes(100))


@changed("first-pages", "A bit of the first page of each database was flipped before the archive was made.", 13)
def _(archive, account):
    archive.entry(CHAT).fill(flipped(account.chat, 100))
    archive.entry(AGENT).fill(flipped(account.agent, 100))


@changed("page-bit-deflated", "A bit of a page was flipped before the archive was made, and it is deflated.", 13)
def _(archive, account):
    archive.entry(CHAT).fill(flipped(account.chat, 20 * PAGE + 77)).deflate()


@changed("sealed-bit", "A bit of an encrypted file was flipped before the archive was made.", 3)
def _(archive, account):
    archive.entry(account.sealed).fill(flipped(account.contents[account.sealed], 2000))


@changed("sealed-tag", "A bit in the tag of an encrypted file was flipped before the archive was made.", 3)
def _(archive, account):
    archive.entry(account.sealed).fill(flipped(account.contents[account.sealed], -3))


@changed("sealed-short", "An encrypted file lacks its last 16 bytes.", 3)
def _(archive, account):
    archive.entry(account.sealed).fill(account.contents[account.sealed][:-16])


@changed("photo-bit", "A bit of a plain photo was flipped before the archive was made: nothing can tell.", 0)
def _(archive, account):
    archive.entry(account.photo).fill(flipped(account.contents[account.photo], 2000))


@changed("photo-short", "A plain photo is shorter than its message says.", 3)
def _(archive, account):
    archive.entry(account.photo).fill(account.contents[account.photo][:-100])


@changed("photo-empty", "A plain photo has no bytes.", 3)
def _(archive, account):
    archive.entry(account.photo).fill(b"")


@changed("photo-missing", "A photo that a message refers to is missing.", 3)
def _(archive, account):
    archive.entries.remove(archive.entry(account.photo))


@changed("media-missing", "There are no media at all.", 3)
def _(archive, account):
    archive.entries = archive.entries[:2]


@changed("media-unreferenced", "A file that no message refers to lies among the media.", 0)
def _(archive, account):
    archive.entry(account.photo).fill(account.contents[account.photo])
    more = account.zip().entry(account.photo)
    archive.entries.append(more.both(name=b"simplex_v1_files/nobody.jpg"))


@changed("media-swapped", "An encrypted file and a photo changed places.", 3)
def _(archive, account):
    archive.entry(account.photo).fill(account.contents[account.sealed])
    archive.entry(account.sealed).fill(account.contents[account.photo])


@changed("media-in-subfolder", "A photo lies in a folder of the media folder, where no app looks.", 3)
def _(archive, account):
    name = account.photo.replace("simplex_v1_files/", "simplex_v1_files/old/")
    archive.entry(account.photo).both(name=name.encode())
