"""What the corpus is made of: the account that all starts from, and the list of cases."""

import dataclasses
import pathlib
import typing
import zipfile

from forge import Entry, Zip

CHAT = "simplex_v1_chat.db"
AGENT = "simplex_v1_agent.db"
FILES = "simplex_v1_files/"
PAGE = 4096


class Account:
    """The archives that the script was given, unpacked."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.exported = self.variant("account")
        self.contents = self.unpack("account")
        self.chat, self.agent = self.contents[CHAT], self.contents[AGENT]
        media = {name: data for name, data in self.contents.items() if name.startswith(FILES)}
        self.photo = next(name for name, data in media.items() if data.startswith(b"\xff\xd8"))
        # Sound of MPEG-4 has its mark in bytes 4 to 7; where it has not, it is encrypted.
        self.sealed = next(
            name for name, data in media.items() if name.endswith(".m4a") and data[4:8] != b"ftyp")

    def variant(self, name):
        """Another archive of an account, as Valise exported it."""
        return (self.folder / f"{name}.zip").read_bytes()

    def unpack(self, name):
        with zipfile.ZipFile(self.folder / f"{name}.zip") as archive:
            return {entry.filename: archive.read(entry) for entry in archive.infolist()}

    def zip(self, *more):
        """The whole account, stored, with more entries."""
        return Zip([Entry(name, data) for name, data in self.contents.items()] + list(more))

    def databases(self, chat=None, agent=None):
        """The whole account with other databases, whose checksums are right."""
        archive = self.zip()
        if chat is not None:
            archive.entry(CHAT).fill(chat)
        if agent is not None:
            archive.entry(AGENT).fill(agent)
        return archive.bytes()


@dataclasses.dataclass
class Case:
    name: str
    what: str
    status: int
    says: list
    key: str
    make: typing.Callable

    @property
    def kind(self):
        """The module that the case stands in."""
        return self.make.__module__.split(".")[-1]


ALL = []


def case(name, what, status, *says, key="right"):
    """One archive.

    what: in one sentence, what was done to it.
    status: of `valise archive verify`.
    says: what its JSON has to contain: a defect, or JSON.
    key: the passphrase that is given: right, wrong or none.
    """

    def add(make):
        assert name not in {known.name for known in ALL}, name
        words = [word if '"' in word else f'"defect":"{word}"' for word in says]
        ALL.append(Case(name, what, status, words, key, make))
        return make

    return add


def entry_case(name, what, status, *says):
    """One more entry in a whole account: the function makes it."""

    def add(entry):
        def make(account):
            return account.zip(entry()).bytes()

        make.__module__ = entry.__module__
        case(name, what, status, *says)(make)
        return entry

    return add


def photo_case(name, what, status, *says):
    """A change of the entry of a plain photo."""

    def add(change):
        def make(account):
            archive = account.zip()
            change(archive.entry(account.photo))
            return archive.bytes()

        make.__module__ = change.__module__
        case(name, what, status, *says)(make)
        return change

    return add


def chat_case(name, what, status, *says):
    """A change of the entry of the chat database, deflated."""

    def add(change):
        def make(account):
            archive = account.zip()
            change(archive.entry(CHAT).deflate())
            return archive.bytes()

        make.__module__ = change.__module__
        case(name, what, status, *says)(make)
        return change

    return add


def flipped(data, position):
    changed = bytearray(data)
    changed[position] ^= 0x10
    return bytes(changed)
