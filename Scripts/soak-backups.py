"""Kills backups, prunes and restores at random moments: `valise backup run`, `forget --prune`, `prune`, `restore`.

Usage: soak-backups.py FOLDER_OF_THE_PROGRAMS [KILLS MEGABYTES SEED]

Each of KILLS ends a command by SIGKILL or SIGINT at a random moment of its time. Then every snapshot that nobody forgot must be
there, the repository has to be intact for `valise backup verify`, and now and then for `restic check --read-data` too; a random
snapshot is restored and has the bytes that the account had when it was made. A killed restore leaves nothing, or all of it under
its name. The next command of each kind removes what the killed one left: locks, temporary files, unfinished folders.
"""

import os
import pathlib
import random
import shutil
import sys
import time

import backing
import soaking

# Every so many kills restic reads all of it, and a snapshot is restored.
READ, RESTORED = 25, 5
MOST_SNAPSHOTS = 8


class Soak(backing.World):
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

    # What holds after each

    def check(self, number: int) -> None:
        self.must("verify")
        if number % RESTORED == 0:
            known = sorted(self.snapshots() & self.contents.keys())
            if known:
                self.check_restore(random.choice(known))
        if number % READ == 0:
            self.check_data()
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
        world = Soak(programs, megabytes)
        state = world.state(world.account)
        begun = time.monotonic()
        world.must("run", "account", "--passphrase-file", "key")
        world.durations = dict.fromkeys(["run", "forget", "prune", "restore"], time.monotonic() - begun)
        world.remember(set(), state)
        for number in range(1, kills + 1):
            world.round(number)
            if number % 100 == 0 and number < kills:
                print(f"{number} of {kills} kills", file=sys.stderr, flush=True)
        world.check(READ * RESTORED)
        if locks := os.listdir(world.repository / "locks"):
            sys.exit(f"locks are left: {locks}")
        print(f"{kills} kills: {dict(world.states)}; every snapshot is whole", flush=True)


main()
