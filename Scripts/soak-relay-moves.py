"""Moves a relay's store through all kinds and back, kills the moves, and has clients fetch everything after each.

Usage: soak-relay-moves.py FOLDER_OF_THE_PROGRAMS [CHUNKS KILLS SEED]

One relay has so many chunks. Its store goes from a log and a folder to PostgreSQL, from there to S3, back to a log, and back into
the folder, then directly to the other end and back. Before the first move of each pair a pass is made while the relay runs and takes new chunks and loses
others. Every move is killed so many times. After each the relay serves from the new place: all chunks that were acknowledged
come back as they were, what was deleted stays away, and `check --content` finds nothing.
"""

import json
import pathlib
import random
import subprocess
import sys
import time

import relaying
import soaking
from relaying import Fault

WAYS = [
    ("embedded", "postgres"), ("postgres", "postgres+s3"), ("postgres+s3", "embedded+s3"), ("embedded+s3", "embedded"),
    ("embedded", "postgres+s3"), ("postgres+s3", "embedded")]


class Moving:
    def __init__(self, programs: pathlib.Path, chunks: int, kills: int, seed: int) -> None:
        # All places are named from the start; which are used is set later.
        self.fleet = relaying.Fleet(programs, 1, "postgres+s3", balances=False, quota="2gb")
        self.process = self.fleet.processes[0]
        self.process.stop()
        self.kills, self.killed, self.moved = kills, 0, 0
        # About as long as a move takes, in seconds.
        self.most = 0.05 + chunks * 0.0005
        self.use("embedded")
        self.process.start()
        sizes = relaying.SIZES[:85] * 4 + relaying.SIZES[85:99]
        self.client = relaying.PatientClient(self.process.port, seed, relaying.use_sodium(), sizes=sizes)
        self.fill(chunks)

    def use(self, store: str) -> None:
        records, _, bodies = store.partition("+")
        self.process.set({
            ("STORE_LOG", "store_files"): "memory" if records == "embedded" else "database",
            ("FILES", "bodies"): bodies or "folder"})

    def fill(self, count: int) -> None:
        for _ in range(count):
            self.client.upload()

    def change(self) -> None:
        """What happens while a first pass runs: some chunks go, others come, some have a recipient less."""
        for _ in range(5):
            self.client.delete()
        self.fill(5)

    def migrate(self, start: str, end: str, *options: str, kills: int = 0) -> None:
        command = [self.process.program, "migrate", "--folder", self.process.folder, "--from", start, "--to", end, "--json",
                   *options]
        for number in range(kills + 1):
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
                try:
                    # The last one may go on to its end.
                    output, errors = running.communicate(
                        timeout=random.uniform(0.02, self.most) if number < kills else 300)
                except subprocess.TimeoutExpired:
                    running.kill()
                    running.communicate()
                    self.killed += 1
                    continue
            if running.returncode == 0:
                self.moved += 1
                report = json.loads(output.strip().splitlines()[-1])
                if "--online" not in options and not report["comparison"]:
                    raise Fault(f"nothing was compared: {report}")
                return
            raise Fault(f"migrate --from {start} --to {end} {options}: {output[-800:]} {errors[-800:]}")

    def step(self, start: str, end: str) -> None:
        if start.startswith("embedded"):
            self.migrate(start, end, "--online")
            self.change()
        self.process.stop()
        self.migrate(start, end, kills=self.kills)
        self.use(end)
        self.check()
        self.process.start()
        self.client.leave()
        for chunk in self.client.there:
            self.client.download(chunk)
        self.change()
        print(f"  {start} to {end}: {len(self.client.there)} chunks came back", flush=True)

    def check(self) -> None:
        result = subprocess.run(
            [self.process.program, "check", "--folder", self.process.folder, "--content", "--json"], capture_output=True,
            text=True)
        found = json.loads(result.stdout or "{}")
        if result.returncode or found.get("unrecorded") or found.get("verifiedBodies") != len(self.client.there):
            raise Fault(f"check: {result.returncode} {result.stdout[-800:]} {result.stderr[-500:]}")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    chunks = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    seed = soaking.seeded(4)
    start = time.monotonic()
    with soaking.workplace():
        try:
            moving = Moving(programs, chunks, kills, seed)
        except relaying.Missing as missing:
            return print(f"left out: {missing} is not installed")
        try:
            for way in WAYS:
                moving.step(*way)
            moving.process.stop()
        except (Fault, subprocess.SubprocessError) as fault:
            sys.exit(f"seed {seed}: {fault}\n{moving.process.log.read_text()[-1500:]}")
        finally:
            moving.fleet.stop()
    print(
        f"relay moves: {moving.moved} of {chunks} chunks, {moving.killed} killed in between, in {time.monotonic() - start:.0f} s",
        flush=True)


main()
