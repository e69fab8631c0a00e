"""Thirty days of one account in one repository: what each day stores, how long it takes, and whether it comes back.

Usage: month.py FOLDER_OF_THE_PROGRAMS [MESSAGES MESSAGES_A_DAY DAYS]

Every day has new messages; on the tenth the key is changed, on the twentieth the database is vacuumed, and every fifth some media
come. After each day the newest snapshot is restored under the passphrase of the day and compared with the account; at the end
all days but seven are forgotten, restic reads everything, and the first day that is left is restored.
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from measuring import private, remove, size

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
import backing  # noqa: E402
import growing  # noqa: E402

KEY_DAY, VACUUM_DAY, MEDIA_DAYS = 10, 20, 5


class Month:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, messages: int, daily: int) -> None:
        self.valise = str(programs / "valise")
        self.folder = folder
        self.daily = daily
        self.account = folder / "account"
        private(folder / "passphrase", "a passphrase")
        backing.use(folder)
        subprocess.run(
            [programs / "valise-sample", "account", "--passphrase-file", "passphrase", "--messages", str(messages),
             "--media-bytes", "20000000"], cwd=folder, check=True)
        self.run("backup", "init", "repository")

    def run(self, *arguments: str) -> dict:
        result = subprocess.run(
            [self.valise, *arguments, "--json", "--quiet"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: {result.returncode} {result.stdout}")
        return json.loads(result.stdout) if result.stdout else {}

    def passphrase(self) -> str:
        return (self.folder / "passphrase").read_text()

    def live(self, day: int) -> str:
        """What the account goes through on a day."""
        growing.grow(self.account, self.passphrase(), self.daily)
        what = [f"{self.daily} messages"]
        if day % MEDIA_DAYS == 0:
            media = self.account / "simplex_v1_files" / f"day-{day}.bin"
            media.write_bytes(random.Random(day).randbytes(2_000_000))
            media.chmod(0o600)
            what.append("2 MB of media")
        if day == KEY_DAY:
            private(self.folder / "next", "another passphrase")
            self.run(
                "key", "change", "account", "--passphrase-file", "passphrase", "--new-passphrase-file", "next",
                "--allow-weak")
            (self.folder / "next").rename(self.folder / "passphrase")
            what.append("a new key")
        if day == VACUUM_DAY:
            growing.vacuum(self.account, self.passphrase())
            what.append("a vacuum")
        return ", ".join(what)

    def day(self, day: int) -> None:
        what = self.live(day) if day > 1 else "the first backup"
        before = size(self.folder / "repository")
        start = time.monotonic()
        self.run("backup", "run", "account", "--passphrase-file", "passphrase")
        seconds = time.monotonic() - start
        stored = size(self.folder / "repository") - before
        start = time.monotonic()
        self.restore("latest", "back", "passphrase")
        restored = time.monotonic() - start
        self.compare("back")
        print(
            f"day {day:2}: {stored / 1e6:8.2f} MB {seconds:6.2f} s, restored in {restored:6.2f} s: {what}", flush=True)

    def restore(self, snapshot: str, target: str, passphrase: str) -> None:
        remove(self.folder / target)
        self.run("backup", "restore", snapshot, target, "--new-passphrase-file", passphrase, "--allow-weak")

    def compare(self, target: str) -> None:
        """The restored account has what the original has now: every file, and every row of its tables."""
        found = {file.name: file.read_bytes() for file in (self.folder / target).rglob("*") if "_files" in str(file.parent)}
        for file in (self.account / "simplex_v1_files").iterdir():
            if found.get(file.name) != file.read_bytes():
                sys.exit(f"{file.name} came back otherwise")
        query = "SELECT count(*), sum(length(item_text)), max(item_ts) FROM chat_items; PRAGMA integrity_check;"
        sides = [growing.run(self.folder / side, self.passphrase(), query) for side in ["account", target]]
        if sides[0] != sides[1]:
            sys.exit(f"the restored messages differ: {sides}")

    def end(self) -> None:
        kept = 7
        before = size(self.folder / "repository")
        self.run("backup", "forget", "--keep-last", str(kept), "--prune", "--yes")
        self.run("backup", "verify", "--read-data")
        print(f"{kept} days left: {before / 1e6:,.1f} MB, then {size(self.folder / 'repository') / 1e6:,.1f} MB")
        if shutil.which("restic"):
            subprocess.run(["restic", "-q", "check", "--read-data"], cwd=self.folder, check=True)
            snapshots = json.loads(subprocess.check_output(["restic", "snapshots", "--json"], cwd=self.folder))
            if len(snapshots) != kept:
                sys.exit(f"{len(snapshots)} snapshots are left, not {kept}")
            self.restore(snapshots[0]["short_id"], "back", "passphrase")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages, daily, days = [int(a) for a in sys.argv[2:]] or [60_000, 100, 30]
    with tempfile.TemporaryDirectory() as name:
        month = Month(programs, pathlib.Path(name), messages, daily)
        for day in range(1, days + 1):
            month.day(day)
        month.end()


main()
