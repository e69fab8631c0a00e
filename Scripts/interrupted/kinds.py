"""The operations that are interrupted: what each starts from, its command, and how it is known to be complete."""

import dataclasses
import json
import pathlib
import shutil
import subprocess
from collections.abc import Callable

from .place import OTHER_KEY, Fault, Place
from .state import WORDS

P = "--passphrase-file key --quiet"
QUIET = {"VALISE_NO_JOBS": "1"}
# Where databases are small.
OLDEST = "--to-chat 0001_profiles --to-agent 0001_agent_connections"
WITH_FILES = "--to-chat 0006_files --to-agent 0001_agent_connections"


@dataclasses.dataclass
class Kind:
    name: str
    prepare: Callable[[Place], None]
    command: str
    # In which operations on files are counted.
    places: tuple[str, ...] = ("account",)
    # Until it is complete, it is what it was before; else it is done piece by piece, and the same command does the rest.
    isAtomic: bool = True
    # Media get keys.
    encrypts: bool = False
    # What completes it or rolls it back, beside the jobs and the same command.
    recovery: str | None = "account recover account --quiet"
    home: str = "home"
    # A file with what it reads.
    given: str | None = None
    usesRelay: bool = False
    # What may stay: a mark that no run removes, where the one that made it was killed just before.
    stays: tuple[str, ...] = ()
    # Of the same command once more.
    statuses: tuple[int, ...] = (0,)
    # Looks at what no state tells; after the same command was completed.
    check: Callable[[Place], None] = lambda place: None


def quietly(place: Place, line: str, **more):
    return place.run(line, environment=QUIET, **more)


def sql(place: Place, name: str, script: str) -> None:
    from .rewriting import shell
    shell(place.root / name, script)


def account(
        place: Place, marker: str = "old", key: bool = False, schema: str = WITH_FILES, sizes: tuple[int, int] = (30_000, 9_000),
        names: bool = True) -> None:
    """A small account with a few media that its messages name."""
    passphrase = "--passphrase-file key" if key else ""
    creation = passphrase or "--no-encryption --yes"
    quietly(place, f"account create account {creation} --quiet")
    if schema:
        quietly(place, f"migrate run account {schema} --confirm yesUpDown {passphrase} --quiet")
        quietly(place, "migrate confirm account --quiet")
        quietly(place, f"account compact account {passphrase} --quiet")
    opening = 'PRAGMA key = "x\'%s\'";' % ("5a" * 32) if key else ""
    for database in ("chat", "agent"):
        sql(place, f"account/simplex_v1_{database}.db", f"{opening} CREATE TABLE marker (text TEXT); INSERT INTO marker VALUES ('{marker}');")
    if names and "0001_profiles" not in schema:
        # Who the files are of.
        sql(place, "account/simplex_v1_chat.db", f"""{opening} PRAGMA foreign_keys = OFF;
            INSERT INTO users (user_id, contact_id, local_display_name, active_user, agent_user_id) VALUES (1, 1, 'me', 1, 1);
            INSERT INTO contact_profiles (contact_profile_id, display_name, user_id) VALUES (1, 'me', 1);
            INSERT INTO contacts (contact_id, contact_profile_id, user_id, local_display_name, is_user) VALUES (1, 1, 1, 'me', 1);
            INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'me', 'me');""")
    for name, size in zip(["shared.bin", f"only {marker}.jpg"], sizes):
        place.write(f"account/simplex_v1_files/{name}", bytes(i // 7 % 256 for i in range(size)) + marker.encode())
        if names and "0006" in schema:
            sql(place, "account/simplex_v1_chat.db", f"""PRAGMA foreign_keys = OFF;
                INSERT INTO files (user_id, file_name, file_path, file_size, ci_file_status, protocol)
                VALUES (1, '{name}', '{name}', {size + len(marker)}, 'rcv_complete', 'xftp');""")
    place.write("account/simplex_v1_assets/wallpapers/wall.jpg", marker.encode())


# The oldest that an import takes.
IMPORTED = "--to-chat 0006_files --to-agent 0005_ratchets"


def with_archive(place: Place, replaced: bool) -> None:
    account(place, "new", schema=IMPORTED, names=False)
    quietly(place, "archive export account in.zip --quiet")
    shutil.rmtree(place.root / "account")
    if replaced:
        account(place, "old", schema=IMPORTED, names=False)


def loose(place: Place) -> None:
    """Pages that hold nothing."""
    account(place)
    for database in ("chat", "agent"):
        sql(place, f"account/simplex_v1_{database}.db", """PRAGMA auto_vacuum = NONE; VACUUM;
            CREATE TABLE junk (x); INSERT INTO junk VALUES (zeroblob(200000)); DROP TABLE junk;""")


def older_cipher(place: Place) -> None:
    account(place, schema=OLDEST)
    for database in ("chat", "agent"):
        path = f"account/simplex_v1_{database}.db"
        sql(place, path, f"""ATTACH DATABASE '{place.root}/older.db' AS older KEY '{WORDS}';
            PRAGMA older.cipher_compatibility = 3; SELECT sqlcipher_export('older'); DETACH DATABASE older;""")
        (place.root / "older.db").replace(place.root / path)
        (place.root / path).chmod(0o600)
    place.write("words", WORDS.encode())


def migrated(place: Place) -> None:
    account(place)
    quietly(place, "migrate run account --to-chat 0008_item_history --to-agent 0002_queues --confirm yesUp --quiet")


def encrypted_media(place: Place) -> None:
    account(place)
    quietly(place, "media encrypt account --quiet")


def unused_media(place: Place) -> None:
    # All tables that name files have to be there.
    account(place, schema="")
    for number in range(3):
        place.write(f"account/simplex_v1_files/unused {number}.bin", b"unused")


def with_log(place: Place) -> None:
    """A committed row that is in the write-ahead log alone."""
    account(place)
    sql(place, "account/simplex_v1_chat.db", f"""PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
        INSERT INTO marker VALUES ('in the log');
.shell cp -a {place.root}/account {place.root}/copy""")
    shutil.rmtree(place.root / "account")
    (place.root / "copy").rename(place.root / "account")


def damaged(place: Place) -> None:
    account(place, key=True, schema=OLDEST)
    path = place.root / "account/simplex_v1_chat.db"
    content = bytearray(path.read_bytes())
    content[5 * 4096 + 100] ^= 0xFF
    path.write_bytes(content)


def broken_archive(place: Place) -> None:
    with_archive(place, False)
    path = place.root / "in.zip"
    path.write_bytes(path.read_bytes()[:-30])


def broken_database(place: Place) -> None:
    """One page of a database in the archive is damaged: its rows are saved, those of the other pages."""
    account(place, "new", schema=IMPORTED, names=False)
    quietly(place, "archive export account in.zip --no-compression --quiet")
    shutil.rmtree(place.root / "account")
    path = place.root / "in.zip"
    content = bytearray(path.read_bytes())
    content[content.index(b"simplex_v1_chat.db") + 5 * 4096] ^= 0xFF
    path.write_bytes(content)


# Moves and transfers.

MOVES = ("home/state/valise/moves", "home/state/valise/uploads")


def moving(place: Place) -> None:
    account(place, key=True, schema=OLDEST, sizes=(300, 90))
    place.make_relay()


def sending() -> str:
    return "move send account --server $SERVER --yes --no-qr --json --passphrase-file key --quiet"


def sent(place: Place) -> None:
    moving(place)
    place.start_relay()
    found = json.loads(quietly(place, sending()).output)
    place.write("in.link", "\n".join(found["links"]).encode())
    place.write("in.words", found["words"].encode())
    place.stop_relay()


def given_to_archive(place: Place) -> None:
    account(place, key=True, schema=OLDEST)
    found = json.loads(quietly(
        place, "move send account --to moved.zip --yes --json --passphrase-file key --quiet").output)
    place.write("in.words", found["words"].encode())


def finishing(place: Place) -> list[str]:
    # Nobody receives it.
    return known(place, ["move", "finish", "account", "--words", (place.root / "in.words").read_text(), "--quiet", "--unconfirmed"])


def known(place: Place, words: list[str]) -> list[str]:
    """Without the consents that the program does not know: the one that the fixtures are made with does not ask for them."""
    if not {"--yes", "--unconfirmed"} & set(words):
        return words
    text = subprocess.run([place.programs / "valise", *words[:2], "--help"], capture_output=True, text=True).stdout
    return [word for word in words if word not in ("--yes", "--unconfirmed") or word in text]


def retired(place: Place) -> None:
    given_to_archive(place)
    place.run(finishing(place), environment=QUIET)


def remains(folder: pathlib.Path, names: str) -> list[str]:
    """Empty folders go with a later transfer (Documentation/formats/transfer.md)."""
    return [path.name for path in folder.glob(names) if not path.is_dir() or any(path.iterdir())]


def moves(place: Place, home: str) -> list[dict]:
    return json.loads(place.run("move status --json", home).output)["moves"]


def check_sent(place: Place) -> None:
    """It can be received by the link that is shown."""
    link = place.run("move link account --no-qr --json", "home").output
    place.run(
        "move receive - received --yes --approve-relays --confirm error --network-config leave --passphrase-file key --quiet",
        "home2", given="\n".join(json.loads(link)["links"]), allowed=(0, 3))
    check_received(place, "received")
    states = [move["state"] for move in moves(place, "home")]
    if states != ["linkShown"]:
        raise Fault(f"the move is {states}")


RECEIVING = "--yes --confirm error --network-config leave --passphrase-file key --quiet"


def check_given(place: Place) -> None:
    """It can be received from the archive."""
    place.run(f"move receive moved.zip received {RECEIVING}", "home2", allowed=(0, 3))
    check_received(place, "received")
    states = [move["state"] for move in moves(place, "home")]
    if states != ["linkShown"]:
        raise Fault(f"the move is {states}")


def check_received(place: Place, folder: str = "received") -> None:
    run = place.run(f"archive diff account {folder} --passphrase-file key", allowed=None)
    if "the same account in the same state" not in run.output:
        raise Fault(f"another account arrived: {run}")
    if hidden := [path.name for path in place.root.rglob(".*")]:
        raise Fault(f"left over: {hidden}")


def check_arrived(place: Place) -> None:
    check_received(place, "arrived")
    states = [move["state"] for move in moves(place, "home2")]
    if states != ["finished"]:
        raise Fault(f"the move is {states}")


def check_cancelled(place: Place) -> None:
    if left := [*moves(place, "home"), *remains(place.root / "home/state/valise/uploads", "*")]:
        raise Fault(f"left over: {left}")
    if place.relay_contents():
        raise Fault("the relay keeps what was sent")


def check_finished(place: Place) -> None:
    states = [move["state"] for move in moves(place, "home")]
    if states != ["finished"]:
        raise Fault(f"the move is {states}")


def transferring(place: Place) -> None:
    place.write("text", bytes(i // 9 % 251 for i in range(40_000)))
    place.make_relay()


def file_sent(place: Place) -> None:
    transferring(place)
    place.start_relay()
    quietly(place, "file send text --server $SERVER --quiet")
    (place.root / "text.xftp").rename(place.root / "in.xftp")
    place.stop_relay()


def check_file(place: Place) -> None:
    place.run("file receive text.xftp/rcv1.xftp --approve-relays -o again --quiet", "home2")
    if (place.root / "again").read_bytes() != (place.root / "text").read_bytes():
        raise Fault("another file arrived")
    if left := remains(place.root / "home/state/valise/uploads", "*"):
        raise Fault(f"left over: {left}")


def check_file_received(place: Place) -> None:
    if (place.root / "got").read_bytes() != (place.root / "text").read_bytes():
        raise Fault("another file arrived")
    if hidden := remains(place.root, ".*"):
        raise Fault(f"left over: {hidden}")


def check_media(place: Place) -> None:
    found = json.loads(place.run("media audit account --json", allowed=None).output)
    bad = {name: found[name] for name in ("missing", "damaged", "problems") if found.get(name)}
    if bad:
        raise Fault(f"media are not whole: {bad}")


KINDS = [
    Kind("create", lambda place: None, "account create account --no-encryption --yes --quiet"),
    Kind("rekey", lambda place: account(place, key=True, schema=OLDEST),
         f"key change account {P} --new-passphrase-file other-key"),
    Kind("rekey-keeping", lambda place: account(place, key=True, schema=OLDEST),
         f"key change account {P} --new-passphrase-file other-key --keep-backup"),
    Kind("rekey-removing", lambda place: account(place, key=True, schema=OLDEST), f"key change account {P} --decrypt --yes"),
    Kind("cipher-upgrade", older_cipher, "key upgrade account --passphrase-file words --quiet"),
    Kind("compact", loose, "account compact account --quiet"),
    Kind("migrate", account,
         "migrate run account --to-chat 0008_item_history --to-agent 0002_queues --confirm yesUp --quiet"),
    Kind("rollback", migrated, "migrate rollback account --yes --quiet"),
    Kind("confirm", migrated, "migrate confirm account --quiet"),
    Kind("import-new", lambda place: with_archive(place, False), "archive import in.zip account --quiet"),
    Kind("import-replacing", lambda place: with_archive(place, True),
         "archive import in.zip account --into-existing --replace-newer --yes --quiet"),
    Kind("import-keeping", lambda place: with_archive(place, True),
         "archive import in.zip account --into-existing --replace-newer --keep-former former --quiet"),
    Kind("import-reading", lambda place: with_archive(place, False), "archive import in.zip account --as-archive --quiet"),
    Kind("export", with_log, "archive export account out.zip --quiet", places=("out.zip", "out.zip.partial", "out.zip.parts"),
         recovery=None),
    Kind("media-encrypt", account, "media encrypt account --quiet", encrypts=True, check=check_media),
    Kind("media-decrypt", encrypted_media, "media decrypt account --quiet", encrypts=True, check=check_media),
    Kind("purge", unused_media, "media purge account --quiet", isAtomic=False, recovery=None),
    Kind("purge-deleting", unused_media, "media purge account --delete --yes --quiet", isAtomic=False, recovery=None),
    Kind("media-export", account, "media export account copies --quiet", places=("copies",), isAtomic=False, recovery=None),
    Kind("extract", lambda place: with_archive(place, False), "archive extract in.zip simplex_v1_files/* --directory taken --force --quiet",
         places=("taken",), isAtomic=False, recovery=None),
    Kind("salvage", damaged, f"account salvage account saved {P}", places=("saved", "saved.partial"), recovery=None, stays=("saved/.valise-salvage",),
         statuses=(0, 3)),
    Kind("archive-salvage", broken_archive, "archive salvage in.zip saved.zip --quiet",
         places=("saved.zip", "saved.zip.partial", "saved.zip.salvage"), recovery=None, statuses=(0, 3)),
    Kind("archive-salvage-database", broken_database, "archive salvage in.zip saved.zip --quiet",
         places=("saved.zip", "saved.zip.partial", "saved.zip.salvage"), recovery=None, statuses=(0, 3)),
    Kind("move-send", moving, sending(), places=MOVES, recovery=None, usesRelay=True, isAtomic=False, check=check_sent),
    Kind("move-receive", sent,
         "move receive - arrived --yes --approve-relays --confirm error --network-config leave --passphrase-file key --quiet",
         places=("arrived", "home2/state/valise/moves"), recovery=None, home="home2", given="in.link", usesRelay=True,
         isAtomic=False, check=check_arrived),
    Kind("move-send-archive", lambda place: account(place, key=True, schema=OLDEST),
         "move send account --to moved.zip --yes --passphrase-file key --quiet",
         places=("moved.zip", "moved.zip.partial", "moved.zip.parts", *MOVES), recovery=None, isAtomic=False, check=check_given),
    Kind("move-receive-archive", given_to_archive, f"move receive moved.zip arrived {RECEIVING}",
         places=("arrived", "home2/state/valise/moves"), recovery=None, home="home2", isAtomic=False, check=check_arrived),
    Kind("move-cancel", sent, "move cancel account --quiet", places=MOVES, recovery=None, usesRelay=True, isAtomic=False,
         statuses=(0, 10), check=check_cancelled),
    Kind("move-finish", sent, "FINISH", places=("account", *MOVES), recovery=None, usesRelay=True, isAtomic=False,
         statuses=(0, 1), check=check_finished),
    Kind("move-restore", retired, "move restore account --yes --quiet", recovery=None, isAtomic=False, statuses=(0, 10)),
    Kind("move-remove", retired, "move remove account --yes --quiet", recovery=None, isAtomic=False, statuses=(0, 10)),
    Kind("file-send", transferring, "file send text --server $SERVER --quiet",
         places=("text.xftp", "home/state/valise/uploads"), recovery=None, usesRelay=True, isAtomic=False, check=check_file),
    Kind("file-receive", file_sent, "file receive in.xftp/rcv1.xftp --approve-relays --output got --quiet",
         places=("",), recovery=None, usesRelay=True, isAtomic=False, check=check_file_received),
]


def words(kind: Kind, place: Place) -> list[str]:
    return finishing(place) if kind.command == "FINISH" else known(place, kind.command.split())
