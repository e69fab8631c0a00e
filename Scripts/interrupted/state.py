"""What a folder holds, in everything by which an interruption could mix two states."""

import functools
import hashlib
import pathlib
import re
import subprocess
import zipfile

from .place import KEY, OTHER_KEY

# Homes and the relay are not what an operation is about; journals of transfers are looked at by themselves.
LEFT_OUT = ("home", "home2", "relay", "key", "other-key", "in.zip", "words")
# Keys that are chosen anew by each run, times, and names with times.
RANDOM = re.compile(rb"[xX]'([0-9a-f]{64}|[0-9a-f]{48})'")
TIME = re.compile(rb"'20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?'")
NAME = re.compile(r"valise-purged-[0-9TZ-]+")
WORDS = "secret words"


def state(root: pathlib.Path, encrypts: bool = False) -> dict[str, str]:
    """By name what is there. encrypts: media may be encrypted under keys that only the databases know."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        name = NAME.sub("valise-purged", str(path.relative_to(root)))
        if name.split("/")[0] in LEFT_OUT:
            continue
        if path.is_dir():
            found[name] = "folder"
        elif ".db" in path.name and not path.name.endswith(("-journal", "-wal", "-shm")):
            found[name] = database(path)
        elif path.suffix == ".zip":
            found[name] = archive(path)
        elif encrypts and "_files/" in name or path.name.endswith((".valise-moved", ".valise-archive")):
            found[name] = f"{path.stat().st_size if encrypts else 'there'}"
        else:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return found


def database(path: pathlib.Path) -> str:
    """Which passphrase opens it, and its rows."""
    sides = {side: path.with_name(path.name + side) for side in ("", "-wal", "-journal")}
    return content(
        path.parent.parent / "dumped.copy",
        *((side, beside.read_bytes()) for side, beside in sides.items() if beside.exists()))


@functools.cache
def content(copy: pathlib.Path, *files: tuple[str, bytes]) -> str:
    """A copy is read, so that no journal is made beside the database."""
    for side, held in files:
        copy.with_name(copy.name + side).write_bytes(held)
    try:
        for name, key in [
                ("key", f'PRAGMA key = "{KEY}";'), ("other", f'PRAGMA key = "{OTHER_KEY}";'), ("none", ""),
                ("older", f"PRAGMA key = '{WORDS}'; PRAGMA cipher_compatibility = 3;"),
                ("words", f"PRAGMA key = '{WORDS}';")]:
            shell = subprocess.run(
                ["sqlcipher", copy], capture_output=True,
                input=f"{key}\nPRAGMA integrity_check;\n.dump\nPRAGMA freelist_count;".encode())
            text, _, pages = shell.stdout.rstrip().rpartition(b"\n")
            if shell.returncode == 0 and text.endswith(b"COMMIT;") and b"CREATE TABLE" in text:
                text = TIME.sub(b"'TIME'", RANDOM.sub(b"X'KEY'", text))
                return f"{name} {hashlib.sha256(text).hexdigest()[:16]} {pages.decode()}"
        return "opens with no passphrase"
    finally:
        for beside in copy.parent.glob("dumped.copy*"):
            beside.unlink()


def archive(path: pathlib.Path) -> str:
    with zipfile.ZipFile(path) as opened:
        if bad := opened.testzip():
            return f"damaged: {bad}"
        entries = sorted((entry.filename, entry.file_size) for entry in opened.infolist())
    return f"zip of {entries}"
