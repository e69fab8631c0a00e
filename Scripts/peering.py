"""What scripts share that let other programs work in our repositories: a folder with an account, and commands of both."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
from collections.abc import Iterable

import growing
from backing import MEDIA, PASSWORD
from transcript.cheapkey import cheapen_keys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "valise"
CHAT, AGENT = growing.CHAT, "simplex_v1_agent.db"
# What restic says where it finds something, with status 0 too.
COMPLAINTS = re.compile(r"error|warning|not referenced|several indexes|repository contains|mixed|duplicate", re.IGNORECASE)


# Names that the two programs have to write in the same way.
STRANGE_NAMES = (
    'a "quote"', "back\\slash", "new\nline", "ümlaut e\u0301 😀", "<&> \u2028 \u200b", "empty", "\x7f\x01\t", "~ $HOME")


class Failure(Exception):
    pass


def require(holds: object, *what: object) -> None:
    if not holds:
        raise Failure(" ".join(map(str, what)))


def same(one: object, other: object, what: str) -> None:
    if one == other:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
        one, other = ({key: some.get(key) for key in keys[:5]} for some in (one, other))
    raise Failure(f"{what}: {one!r} is not {other!r}")


def restics() -> dict[str, str]:
    """Every restic that is installed: the system's, and what get-restic.sh got."""
    found: dict[str, str] = {}
    places = [shutil.which("restic"), *sorted(map(str, CACHE.glob("restic/*/usr/bin/restic")))]
    for place in filter(None, places):
        said = subprocess.run([place, "version"], capture_output=True, text=True, check=True).stdout
        found.setdefault(said.split()[1], place)
    return found


def newest(versions: Iterable[str]) -> str:
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def make_small_account(programs: pathlib.Path) -> None:
    """`account` in the current folder, of a good megabyte, and its passphrase in `key`."""
    pathlib.Path("key").touch(mode=0o600)
    # A raw key, which needs no derivation.
    pathlib.Path("key").write_text("x'" + "5a" * 32 + "'")
    subprocess.run(
        [programs / "valise-sample", "account", "--passphrase-file", "key", "--messages", "400", "--media-bytes", "300000",
         "--media-size", "20000"], check=True, stdout=subprocess.DEVNULL)
    for name in STRANGE_NAMES:
        path = pathlib.Path("account", MEDIA, name)
        path.write_text(name if "empty" not in name else "")
        path.chmod(0o600)


class World:
    """A folder with a copy of an account, in which our program and one restic work."""

    def __init__(self, folder: pathlib.Path, programs: pathlib.Path, restic: str, account: pathlib.Path) -> None:
        folder.mkdir()
        self.folder, self.program, self.restic_program = folder, str(programs / "valise"), restic
        self.account, self.key = folder / "account", account.parent / "key"
        shutil.copytree(account, self.account)
        (folder / "cache").mkdir()
        self.environment = dict(
            os.environ, RESTIC_PASSWORD_FILE=str(self.write("password", PASSWORD)), RESTIC_CACHE_DIR=str(folder / "cache"),
            XDG_STATE_HOME=str(folder / "state"), XDG_DATA_HOME=str(folder / "data"),
            XDG_CONFIG_HOME=str(folder / "config"), VALISE_NO_JOBS="1", NO_COLOR="1", TZ="UTC")
        self.commands = {"valise": 0, "restic": 0}
        self.seconds = {"valise": 0.0, "restic": 0.0}
        self.repository = str(folder / "repository")
        # What restic is told before the command, and what each snapshot was made of.
        self.options: list[str] = []
        self.states: dict[str, dict[str, object]] = {}

    def write(self, name: str, content: str | bytes) -> pathlib.Path:
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    # Commands

    def command(
        self, kind: str, words: list[object], status: int | None = 0, **environment: str
    ) -> subprocess.CompletedProcess:
        begun = time.monotonic()
        try:
            result = subprocess.run(
                [str(word) for word in words], capture_output=True, text=True, cwd=self.folder, stdin=subprocess.DEVNULL,
                env=self.environment | environment, timeout=120)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{' '.join(map(str, words[1:]))}: no end after two minutes") from error
        self.commands[kind] += 1
        self.seconds[kind] += time.monotonic() - begun
        if status is not None and result.returncode != status:
            raise Failure(
                f"{kind} {' '.join(map(str, words[1:]))}: status {result.returncode}, not {status}\n{result.stdout[-2000:]}"
                f"{result.stderr[-2000:]}")
        return result

    def backup(self, *words: object, status: int | None = 0, repository: str | None = None, **environment: str) -> dict:
        """`valise backup` with its document."""
        place = [] if words[0] == "init" else ["--repo", repository or self.repository]
        said = self.command(
            "valise", [self.program, "backup", *words, *place, "--json", "--no-input"], status, **environment).stdout
        return json.loads(said) if said else {}

    def restic(self, *words: object, status: int | None = 0, repository: str | None = None, **environment: str) -> str:
        command = [self.restic_program, *self.options, "-r", repository or self.repository, *words]
        return self.command("restic", command, status, **environment).stdout

    def restic_json(self, *words: object, repository: str | None = None) -> list:
        """One document, or one in each line."""
        said = self.restic(*words, "--json", repository=repository)
        try:
            return json.loads(said) or []
        except json.JSONDecodeError:
            return [json.loads(line) for line in said.splitlines()]

    # Repositories

    def initialize(self, repository: str | None = None) -> None:
        self.backup("init", repository or self.repository)
        self.cheapen(repository)

    def cheapen(self, repository: str | None = None, *passwords: str) -> None:
        """Each command would derive a key for half a second."""
        cheapen_keys(pathlib.Path(repository or self.repository), PASSWORD, *passwords)

    def run(self, *words: object, account: pathlib.Path | None = None, repository: str | None = None) -> dict:
        """A snapshot of ours."""
        document = self.backup(
            "run", account or self.account, "--passphrase-file", self.key, *words, repository=repository)
        snapshot = document["accounts"][0]["snapshot"]
        self.states[snapshot["id"]] = self.state(account)
        return snapshot

    def intact(self, repository: str | None = None) -> None:
        """Both programs read all of it and find nothing."""
        document = self.backup("verify", "--read-data", repository=repository)
        require(document["isIntact"] and not document["findings"], "verify:", document)
        command = [self.restic_program, *self.options, "-r", repository or self.repository, "check", "--read-data"]
        result = self.command("restic", command)
        said = result.stdout.replace("no errors were found", "") + result.stderr
        require(not COMPLAINTS.search(said), "restic check:", said)

    def snapshots(self, repository: str | None = None) -> dict[str, dict]:
        """Both programs list the same ones."""
        ours = self.backup("list", repository=repository)
        require(not ours["problems"], ours["problems"])
        listed = {one["id"]: one for one in ours["snapshots"]}
        theirs = {one["id"]: one for one in self.restic_json("snapshots", repository=repository)}

        def seen(some: dict[str, dict]) -> dict[str, tuple]:
            return {
                name: (one["hostname"], one["paths"], sorted(one.get("tags") or []), one["time"].rstrip("Z").rstrip("0"))
                for name, one in some.items()}

        same(seen(listed), seen(theirs), "snapshots")
        return listed

    def newest(self, repository: str | None = None) -> str:
        return self.backup("list", repository=repository)["snapshots"][-1]["id"]

    # Accounts

    def change(self, number: int) -> None:
        growing.grow(self.account, self.key.read_text(), 20)
        path = self.account / MEDIA / f"new-{number}"
        path.write_bytes(os.urandom(3000))
        path.chmod(0o600)

    def messages(self, account: pathlib.Path) -> str:
        return growing.run(account, self.key.read_text(), growing.SUM).replace("ok\n", "").strip()

    def files(self, account: pathlib.Path) -> dict[str, str]:
        return {
            str(file.relative_to(account)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(account.rglob("*"))
            if file.is_file() and ".valise" not in file.parts and not re.search(r"\.db(-wal|-shm)?$", file.name)}

    def state(self, account: pathlib.Path | None = None) -> dict[str, object]:
        """All media by their digests, and what the messages are."""
        place = account or self.account
        return {"messages": self.messages(place), **self.files(place)}

    def restored(self, snapshot: str, repository: str | None = None) -> None:
        """We restore what was backed up."""
        target = self.folder / "target"
        self.backup("restore", snapshot, target, "--new-passphrase-file", self.key, repository=repository)
        same(self.state(target), self.states[snapshot], f"{snapshot[:8]} restored")
        shutil.rmtree(target)
