"""Kills backups, prunes and restores at random moments: `valise backup run`, `forget --prune`, `prune`, `restore`.

Usage: soak-backups.py FOLDER_OF_THE_PROGRAMS [KILLS MEGABYTES SEED]

Each of KILLS ends a command by SIGKILL or SIGINT at a random moment of its time. Then every snapshot that nobody forgot must be
there, the repository has to be intact for `valise backup verify`, and now and then for `restic check --read-data` too; a random
snapshot is restored and has the bytes that the account had when it was made. A killed restore leaves nothing, or all of it under
its name. The next command of each kind removes what the killed one left: locks, temporary files, unfinished folders.
"""

import collections
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import growing
import soaking

# Every so many kills restic reads all of it, and a snapshot is restored.
READ, RESTORED = 25, 5
MOST_SNAPSHOTS = 8
MEDIA = "simplex_v1_files"


class World:
    def __init__(self, programs: pathlib.Path, megabytes: int) -> None:
        self.valise = str(programs / "valise")
        soaking.make_account(programs, megabytes, media_size=200_000)
        self.passphrase = pathlib.Path("key").read_text()
        pathlib.Path("cache").mkdir()
        pathlib.Path("password").touch(mode=0o600)
        pathlib.Path("password").write_text("a password of the repository")
        os.environ.update(
            RESTIC_PASSWORD_FILE=os.path.abspath("password"), RESTIC_REPOSITORY=os.path.abspath("repository"),
            RESTIC_CACHE_DIR=os.path.abspath("cache"), XDG_DATA_HOME=os.path.abspath("data"),
            XDG_CONFIG_HOME=os.path.abspath("config"), VALISE_NO_JOBS="1")
        self.account = pathlib.Path("account")
        self.repository = pathlib.Path("repository")
        self.states: collections.Counter[str] = collections.Counter()
        # What the account was when a snapshot was made.
        self.contents: dict[str, dict[str, str]] = {}
        self.durations: dict[str, float] = {}
        self.must("init", "repository")

    def command(self, *arguments: str) -> list[str]:
        return [self.valise, "backup", *arguments, "--quiet"]

    def must(self, *arguments: str) -> str:
        result = subprocess.run(self.command(*arguments), capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def snapshots(self) -> set[str]:
        return {name for name in os.listdir(self.repository / "snapshots") if len(name) == 64}

    def state(self, account: pathlib.Path) -> dict[str, str]:
        """Digests of all media, and what the messages are."""
        state = {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted((account / MEDIA).iterdir()) if file.is_file()
        }
        state["messages"] = growing.run(
            account, self.passphrase,
            "SELECT count(*), sum(chat_item_id), sum(length(item_text)), max(item_ts) FROM chat_items;")
        return state

    def change(self) -> None:
        growing.grow(self.account, self.passphrase, random.randint(1, 50))
        media = sorted((self.account / MEDIA).iterdir())
        if random.random() < 0.5:
            random.choice(media).write_bytes(random.randbytes(random.randint(1, 300_000)))
        if random.random() < 0.3:
            path = self.account / MEDIA / f"new-{random.randrange(1 << 30)}"
            path.write_bytes(random.randbytes(100_000))
            path.chmod(0o600)

    def kill(self, name: str, command: list[str]) -> bool:
        """Ends a command within its usual time. Returns whether it came to its end before."""
        moment = random.random() * self.durations.get(name, 1) * 1.05
        begun = time.monotonic()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        by = random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT])
        try:
            running.wait(moment)
        except subprocess.TimeoutExpired:
            running.send_signal(by)
        _, said = running.communicate()
        if running.returncode == 0:
            self.durations[name] = (self.durations.get(name, 0) * 3 + time.monotonic() - begun) / 4
            self.states[f"{name}: ended before"] += 1
            return True
        if running.returncode not in (-signal.SIGKILL, -signal.SIGINT, 130):
            sys.exit(f"{name}: status {running.returncode} {said}")
        self.states[f"{name}: {by.name}"] += 1
        return False

    # What is killed

    def run(self) -> None:
        self.change()
        before, state = self.snapshots(), self.state(self.account)
        command = ("run", "account", "--passphrase-file", "key")
        if not self.kill("run", self.command(*command)):
            self.remember(before, state)
            # What it stored is found again, and it says nothing of the lock that it removes.
            before = self.snapshots()
            self.must(*command)
        self.remember(before, state)

    def remember(self, before: set[str], state: dict[str, str]) -> None:
        now = self.snapshots()
        if before - now:
            sys.exit(f"snapshots are gone after a run: {before - now}")
        for snapshot in now - before:
            self.contents[snapshot] = state

    def forget(self) -> None:
        """Forgets all but the newest ones, and prunes."""
        before = self.snapshots()
        kept = random.randint(2, MOST_SNAPSHOTS)
        command = ("forget", "--keep-last", str(kept), "--prune", "--yes")
        if not self.kill("forget", self.command(*command)):
            self.check_forgotten(before, kept)
            self.must(*command)
        self.check_forgotten(before, kept)
        if len(self.snapshots()) > kept:
            sys.exit(f"{len(self.snapshots())} snapshots are left, not {kept}")

    def check_forgotten(self, before: set[str], kept: int) -> None:
        left = self.snapshots()
        if len(left) < min(kept, len(before)) or left - before:
            sys.exit(f"{len(left)} of {len(before)} snapshots are left, where {kept} were to be kept")

    def prune(self) -> None:
        before = self.snapshots()
        if not self.kill("prune", self.command("prune", "--yes", "--max-unused", "0")):
            self.must("prune", "--yes")
        if self.snapshots() != before:
            sys.exit("a prune took snapshots with it")

    def restore(self) -> None:
        snapshot = random.choice(sorted(self.snapshots() & self.contents.keys()))
        target = pathlib.Path("target")
        ended = self.kill("restore", self.restoring(snapshot, "target"))
        if target.exists():
            self.compare(snapshot, target)
            shutil.rmtree(target)
        elif ended:
            sys.exit("a restore said that it was done, and nothing is there")
        self.check_restore(snapshot)

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
            differing = [name for name in state.keys() | self.contents[snapshot].keys()
                         if state.get(name) != self.contents[snapshot].get(name)]
            sys.exit(f"{snapshot[:8]} came back otherwise: {differing[:5]}")

    # What holds after each

    def check(self, number: int) -> None:
        self.must("verify")
        if number % RESTORED == 0:
            known = sorted(self.snapshots() & self.contents.keys())
            if known:
                self.check_restore(random.choice(known))
        if number % READ == 0:
            self.must("verify", "--read-data")
            if shutil.which("restic"):
                subprocess.run(["restic", "-q", "check", "--read-data"], check=True)
        if left := [path for path in self.repository.rglob("*") if ".tmp" in path.name or "-tmp-" in path.name]:
            # A killed run's, which are removed when they are a day old.
            self.states["temporary files seen"] += len(left)

    def round(self, number: int) -> None:
        acts = [self.run, self.run, self.restore, self.prune]
        if len(self.snapshots()) > 3:
            acts.append(self.forget)
        random.choice(acts)()
        self.check(number)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    soaking.seeded(4)
    with soaking.workplace():
        world = World(programs, megabytes)
        state = world.state(world.account)
        begun = time.monotonic()
        world.must("run", "account", "--passphrase-file", "key")
        world.durations = dict.fromkeys(["run", "forget", "prune", "restore"], time.monotonic() - begun)
        world.remember(set(), state)
        for number in range(1, kills + 1):
            world.round(number)
        world.check(READ * RESTORED)
        if locks := os.listdir(world.repository / "locks"):
            sys.exit(f"locks are left: {locks}")
        print(f"{kills} kills: {dict(world.states)}; every snapshot is whole", flush=True)


main()
