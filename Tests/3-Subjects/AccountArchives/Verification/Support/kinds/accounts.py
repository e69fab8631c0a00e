"""Sound zips that hold no account, or not one."""

from cases import AGENT, CHAT, PAGE, case, flipped
from forge import Zip


def databases(name, what, status, change, *says, key="right"):
    @case(name, what, status, *says, key=key)
    def _(account):
        return account.databases(**change(account))


def without(name, what, *names):
    @case(name, what, 13)
    def _(account):
        archive = account.zip()
        archive.entries = [entry for entry in archive.entries if entry.name not in names]
        return archive.bytes()


without("chat-missing", "The chat database is missing.", CHAT)
without("agent-missing", "The agent database is missing.", AGENT)
without("databases-missing", "Both databases are missing.", CHAT, AGENT)


@case("databases-in-folder", "All lies in a folder, as people make it who zip a folder.", 13)
def _(account):
    archive = account.zip()
    for entry in archive.entries:
        entry.both(name=b"backup/" + entry.central.name)
    return archive.bytes()


@case("database-names-android", "The databases have the names of Android's folder.", 13)
def _(account):
    archive = account.zip()
    archive.entry(CHAT).both(name=b"files_chat.db")
    archive.entry(AGENT).both(name=b"files_agent.db")
    return archive.bytes()


databases("databases-exchanged", "Each database stands under the name of the other.", 14,
          lambda account: {"chat": account.agent, "agent": account.chat}, '"origin":"otherDatabase"')
databases("chat-twice", "The chat database stands in place of the agent's too.", 14,
          lambda account: {"agent": account.chat}, '"origin":"otherDatabase"')
databases("chat-empty", "The chat database has no bytes.", 13, lambda account: {"chat": b""})
databases("agent-short", "The agent database has a hundred bytes.", 13,
          lambda account: {"agent": account.agent[:100]})
databases("agent-text", "The agent database is text.", 13,
          lambda account: {"agent": b"this is not a database, but it is long enough\n" * 200})
databases("chat-header", "The chat database is a header and zeros.", 13,
          lambda account: {"chat": b"SQLite format 3\0" + bytes(PAGE - 16)})
databases("salt-bit", "A bit of the chat database's salt was flipped.", 13,
          lambda account: {"chat": flipped(account.chat, 3)})
databases("chat-plain", "The chat database is plain, the agent's is encrypted.", 14,
          lambda account: {"chat": account.unpack("plain")[CHAT]})
databases("agent-other-passphrase", "The agent database has another passphrase.", 13,
          lambda account: {"agent": account.unpack("other")[AGENT]})
databases("agent-other-account", "The agent database is that of another account with the same passphrase.", 13,
          lambda account: {"agent": account.unpack("stranger")[AGENT]}, '"connectionsWithoutAgent":20')


def variant(name, what, status, *says, key="right"):
    @case(name, what, status, *says, key=key)
    def _(account):
        return account.variant(name)


variant("plain", "Neither database is encrypted.", 0, key="none")
variant("older", "The databases lack the newest migrations.", 0)
variant("unknown", "The migrations of the chat database have names that nobody knows.", 14, '"origin":"unknown"')
variant("newer", "The chat database knows a migration that this program does not.", 14)
variant("orphans", "Rows of the chat database refer to contacts that are not there; every HMAC is right.", 13)
variant("lost-index", "An index of the chat database lacks entries; every HMAC is right.", 13)


@case("plain-page", "A page of a plain database was overwritten.", 13, key="none")
def _(account):
    contents = account.unpack("plain")
    archive = account.zip()
    chat = contents[CHAT]
    archive.entry(CHAT).fill(chat[: 3 * PAGE] + b"\xaa" * PAGE + chat[4 * PAGE:])
    archive.entry(AGENT).fill(contents[AGENT])
    return archive.bytes()


@case("plain-exchanged", "Each database of a plain account stands under the name of the other.", 14,
      '"origin":"otherDatabase"', key="none")
def _(account):
    contents = account.unpack("plain")
    return account.databases(chat=contents[AGENT], agent=contents[CHAT])


@case("plain-cycle", "In a plain database, a page of a tree leads to itself.", 13, key="none")
def _(account):
    contents = account.unpack("plain")
    chat = bytearray(contents[CHAT])
    # The first inner page of a table's tree; its last child is told in bytes 8 to 11.
    start = next(at for at in range(PAGE, len(chat), PAGE) if chat[at] == 5)
    chat[start + 8: start + 12] = (start // PAGE + 1).to_bytes(4, "big")
    return account.databases(chat=bytes(chat), agent=contents[AGENT])


def unopened(name, what, status, change):
    @case(name, what, status, key="none")
    def _(account):
        return account.databases(**change(account))


unopened("no-passphrase", "Nothing is wrong, and no passphrase is given.", 0, lambda account: {})
unopened("no-passphrase-page", "A bit of a page was flipped; without the passphrase nothing can tell.", 0,
         lambda account: {"chat": flipped(account.chat, 20 * PAGE + 77)})
unopened("no-passphrase-bytes", "A hundred bytes follow the last page, and no passphrase is given.", 13,
         lambda account: {"chat": account.chat + bytes(100)})
unopened("no-passphrase-plain", "The chat database is plain, the agent's is encrypted, and no passphrase is given.", 14,
         lambda account: {"chat": account.unpack("plain")[CHAT]})
unopened("no-passphrase-text", "The agent database is text, and no passphrase is given.", 13,
         lambda account: {"agent": b"this is not a database, but it is long enough\n" * 200})


@case("wrong-passphrase-deflated", "The account is whole and deflated, and the passphrase is another.", 12, key="wrong")
def _(account):
    archive = account.zip()
    archive.entry(CHAT).deflate()
    archive.entry(AGENT).deflate()
    return archive.bytes()


@case("no-account", "A sound zip that holds pictures of a holiday.", 13)
def _(account):
    archive = account.zip()
    photo = archive.entry(account.photo)
    return Zip([photo.both(name=b"holiday/beach.jpg")]).bytes()
