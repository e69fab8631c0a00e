"""Kills exports to a zip at random moments, and lets the next run continue them: `valise archive export`.

Usage: soak-exports.py FOLDER_OF_THE_PROGRAMS [EXPORTS MEGABYTES SEED]

Each of EXPORTS ends by SIGKILL or SIGINT, up to four times behind its first flush, and then comes to its end. Its archive must
have the bytes of an export that nobody stopped (--reproducible), `unzip -t` has to take it, and nothing may lie beside it.
What a run leaves is a partial archive with its journal, both of mode 0600, or nothing. At least one run has to continue, for
which exports are added where those asked for came to their end before they were stopped.
"""

import collections
import filecmp
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import soaking

# Behind this much of an archive the first flush is made.
FLUSH = 256 << 20
# So many exports are added at most.
ADDED = 30
# What changed within two seconds before it is read is not kept.
SETTLING = 3
CONTINUES = "checked and kept"


class World:
    def __init__(self, programs: pathlib.Path, megabytes: int) -> None:
        self.valise = programs / "valise"
        soaking.make_account(programs, megabytes, media_size=1_000_000)
        time.sleep(SETTLING)
        start = time.perf_counter()
        self.export("whole.zip")
        self.duration = time.perf_counter() - start
        self.states: collections.Counter[str] = collections.Counter()
        print(f"{os.path.getsize('whole.zip'):,} bytes", flush=True)

    def command(self, archive: str) -> list[str]:
        return [str(self.valise), "archive", "export", "account", archive, "--reproducible", "--passphrase-file", "key"]

    def export(self, archive: str) -> str:
        """Returns what was said."""
        result = subprocess.run(self.command(archive), capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{archive}: status {result.returncode} {result.stdout} {result.stderr}")
        return result.stderr

    def leftovers(self) -> list[pathlib.Path]:
        return [path for path in pathlib.Path(".").glob("*killed.zip*") if path.name != "killed.zip"]

    def stop(self) -> None:
        """Ends a run behind its first flush, if it is not faster."""
        begun = time.monotonic()
        running = subprocess.Popen(self.command("killed.zip"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while running.poll() is None:
            sizes = [path.stat().st_size for path in self.leftovers() if path.exists() and path.suffix != ".journal"]
            if max(sizes, default=0) > FLUSH:
                break
            time.sleep(0.002)
        time.sleep(random.random() * self.duration / 4)
        by = random.choice([signal.SIGKILL, signal.SIGINT])
        age = time.monotonic() - begun
        running.send_signal(by)
        running.wait()
        if pathlib.Path("killed.zip").exists():
            return self.told("ended before")
        left = self.leftovers()
        # One that has only begun does not listen to it yet.
        ends = [130] if age > 0.1 else [130, -signal.SIGINT]
        if by == signal.SIGINT and running.returncode not in ends:
            sys.exit(f"interrupted: status {running.returncode}")
        if bad := [path.name for path in left if path.stat().st_mode & 0o777 != 0o600]:
            sys.exit(f"others can read {bad}")
        self.told(f"{by.name}, {len(left)} files left")

    def told(self, state: str) -> None:
        self.states[state] += 1

    def round(self) -> None:
        pathlib.Path("killed.zip").unlink(missing_ok=True)
        for _ in range(random.randint(1, 4)):
            self.stop()
            if pathlib.Path("killed.zip").exists():
                break
        else:
            self.told("continued" if CONTINUES in self.export("killed.zip") else "begun anew")
        if not filecmp.cmp("whole.zip", "killed.zip", shallow=False):
            sys.exit("the archive is not that of an export that nobody stopped")
        if left := self.leftovers():
            sys.exit(f"left behind: {left}")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    exports = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    soaking.seeded(4)
    with soaking.workplace():
        world = World(programs, megabytes)
        rounds = 0
        while rounds < exports or (not world.states["continued"] and rounds < exports + ADDED):
            world.round()
            rounds += 1
        subprocess.run(["unzip", "-tqq", "killed.zip"], check=True, stdout=subprocess.DEVNULL)
        print(f"{rounds} exports: {dict(world.states)}; all have the bytes of one that nobody stopped", flush=True)
        if not world.states["continued"]:
            sys.exit("none was continued")


main()
