"""What soaks of backups work on: an account, a repository, and what the account was when each snapshot was made."""

import collections
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import growing
import soaking
from transcript import cheapkey

MEDIA = "simplex_v1_files"
PASSWORD = "a password of the repository"


def use(folder: pathlib.Path, **others: str) -> None:
    """From now on `valise backup` and restic find the repository, its password and all that they keep in a folder: nothing of
    whoever runs this is read or written."""
    folder = folder.absolute()
    (folder / "cache").mkdir()
    soaking.private(folder / "password", PASSWORD)
    os.environ.update(
        RESTIC_PASSWORD_FILE=str(folder / "password"), RESTIC_REPOSITORY=str(folder / "repository"),
        RESTIC_CACHE_DIR=str(folder / "cache"), XDG_STATE_HOME=str(folder / "state"), XDG_DATA_HOME=str(folder / "data"),
        XDG_CONFIG_HOME=str(folder / "config"), VALISE_NO_JOBS="1", **others)


def media_of(account: pathlib.Path) -> dict[str, str]:
    """Digests by names."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted((account / MEDIA).iterdir()) if file.is_file()
    }


class World:
    """In the current folder."""

    def __init__(self, programs: pathlib.Path, megabytes: int) -> None:
        self.valise = str(programs / "valise")
        soaking.make_account(programs, megabytes, media_size=200_000)
        self.passphrase = pathlib.Path("key").read_text()
        use(pathlib.Path("."))
        self.account = pathlib.Path("account")
        self.repository = pathlib.Path("repository")
        self.states: collections.Counter[str] = collections.Counter()
        # What the account was when a snapshot was made.
        self.contents: dict[str, dict[str, str]] = {}
        self.durations: dict[str, float] = {}
        self.must("init", "repository")
        # Each command derives the key, and nothing here is about that.
        cheapkey.make_cheap(self.repository, PASSWORD)

    def command(self, *arguments: str) -> list[str]:
        return [self.valise, "backup", *arguments, "--quiet"]

    def must(self, *arguments: str) -> str:
        result = subprocess.run(self.command(*arguments), capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    # What there is

    def snapshots(self) -> set[str]:
        return {name for name in os.listdir(self.repository / "snapshots") if len(name) == 64}

    def state(self, account: pathlib.Path) -> dict[str, str]:
        """Digests of all media, and what the messages are."""
        state = media_of(account)
        state["messages"] = growing.run(account, self.passphrase, growing.SUM)
        return state

    def remember(self, before: set[str], state: dict[str, str]) -> None:
        """Snapshots that were made since `before` have that state."""
        now = self.snapshots()
        if before - now:
            sys.exit(f"snapshots are gone after a run: {before - now}")
        for snapshot in now - before:
            self.contents[snapshot] = state

    # What happens

    def change(self, account: pathlib.Path | None = None) -> None:
        """As days of use do."""
        account = account or self.account
        growing.grow(account, self.passphrase, random.randint(1, 50))
        media = sorted((account / MEDIA).iterdir())
        if random.random() < 0.5:
            random.choice(media).write_bytes(random.randbytes(random.randint(1, 300_000)))
        if random.random() < 0.3:
            path = account / MEDIA / f"new-{random.randrange(1 << 30)}"
            path.write_bytes(random.randbytes(100_000))
            path.chmod(0o600)

    def kill(self, name: str, command: list[str], moment: float | None = None) -> bool:
        return soaking.kill(name, command, self.durations, self.states, 1, moment)

    # What comes back

    def restoring(self, snapshot: str, target: str) -> list[str]:
        return self.command("restore", snapshot, target, "--new-passphrase-file", "key")

    def check_restore(self, snapshot: str) -> None:
        self.must(*self.restoring(snapshot, "target")[2:-1])
        self.compare(snapshot, pathlib.Path("target"))
        shutil.rmtree("target")
        if left := [path.name for path in pathlib.Path(".").iterdir() if "target" in path.name]:
            sys.exit(f"left behind: {left}")

    def compare(self, snapshot: str, target: pathlib.Path) -> None:
        if (state := self.state(target)) != self.contents[snapshot]:
            sys.exit(f"{snapshot[:8]} came back otherwise: {differing(state, self.contents[snapshot])}")

    def check_data(self) -> None:
        """All of the repository, by Valise and by restic."""
        self.must("verify", "--read-data")
        if shutil.which("restic"):
            subprocess.run(["restic", "-q", "check", "--read-data"], check=True)


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)][:5]
