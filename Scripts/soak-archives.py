"""Breaks an archive at random places and salvages it: `valise archive salvage`.

Usage: soak-archives.py FOLDER_OF_THE_PROGRAMS [ROUNDS MEGABYTES SEED KILLS]

ROUNDS truncations and as many holes of 4 KiB, zeros and random bytes in turn. Every entry that is whole in the broken
archive has to be in the new one, every entry of the new one has to have the original's bytes, and both the program and
`unzip -t` have to take it. The time is compared with that of reading the file, of looking only (--dry-run) and of the
whole act, with the file in memory and with one that has to come from the disk, and with what writing the same bytes durably
takes (`dd conv=fsync`).

Then KILLS runs end by SIGKILL at random moments: there must be no new archive or a whole one, and the next run must leave
nothing but its own.
"""

import collections
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

import soaking

HOLE = 4096
# Every so many rounds the time is taken: a round with it takes four times as long.
TIMED = 4
DATABASES = {"simplex_v1_chat.db", "simplex_v1_agent.db"}


class Original:
    """The whole archive: where each entry lies, and what is in it."""

    def __init__(self, path: pathlib.Path) -> None:
        self.bytes = path.read_bytes()
        self.contents = {}
        self.ranges = {}
        with zipfile.ZipFile(path) as archive:
            infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
            ends = [info.header_offset for info in infos[1:]] + [archive.start_dir]
            self.directory = archive.start_dir
            for info, end in zip(infos, ends):
                self.contents[info.filename] = zlib.crc32(archive.read(info)), info.file_size
                # Whole are the data; the header may be damaged where the directory is not.
                self.ranges[info.filename] = (info.header_offset, end, info.compress_size)

    def data(self, name: str) -> tuple[int, int]:
        start, _, size = self.ranges[name]
        header = self.bytes[start:start + 30]
        data = start + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        return data, data + size

    def whole(self, damage: tuple[int, int]) -> set[str]:
        """Entries of which no byte of data is damaged, and that something left can prove."""
        first, last = damage
        directory_is_hit = last > self.directory
        names = set()
        for name, (start, end, _) in self.ranges.items():
            data, data_end = self.data(name)
            # Header and descriptor may be told by the directory, where that is left.
            if directory_is_hit:
                data, data_end = start, end
            if last <= data or first >= data_end:
                names.add(name)
        return names


class World:
    def __init__(self, programs: pathlib.Path, megabytes: int) -> None:
        self.valise = programs / "valise"
        soaking.make_account(programs, megabytes, media_size=100_000)
        self.run(["archive", "export", "account", "whole.zip", "--quiet"])
        shutil.rmtree("account")
        self.original = Original(pathlib.Path("whole.zip"))
        print(f"{len(self.original.contents)} entries, {len(self.original.bytes):,} bytes", flush=True)

    def run(self, arguments: list[str], allowed: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        result = subprocess.run([self.valise, *arguments], capture_output=True, text=True)
        if result.returncode not in allowed:
            sys.exit(f"{arguments}: {result.returncode} {result.stdout} {result.stderr}")
        return result

    def check(self, damage: tuple[int, int], what: str) -> None:
        result = self.run(["archive", "salvage", "broken.zip", "out.zip", "--json", "--quiet"], (0, 3, 13))
        whole = self.original.whole(damage)
        if result.returncode == 13:
            # Nothing at all was left.
            if whole or os.path.exists("out.zip"):
                sys.exit(f"{what}: {sorted(whole)[:3]} are whole and nothing was saved")
            return
        report = json.loads(result.stdout)
        with zipfile.ZipFile("out.zip") as archive:
            found = {info.filename: (zlib.crc32(archive.read(info)), info.file_size) for info in archive.infolist()}
        kept = {name: content for name, content in found.items() if not name.startswith("damaged/")}
        if missing := whole - kept.keys():
            sys.exit(f"{what}: lost although whole: {sorted(missing)[:5]}; {report['lost'][:5]}")
        for name, content in kept.items():
            if content != self.original.contents.get(name):
                sys.exit(f"{what}: {name} is not what it was")
        if {entry["name"] for entry in report["kept"]} != kept.keys():
            sys.exit(f"{what}: the report does not say what is in the archive")
        if (result.returncode == 0) != report["isComplete"]:
            sys.exit(f"{what}: status {result.returncode}")
        if result.returncode == 0 and kept.keys() != self.original.contents.keys():
            sys.exit(f"{what}: something is lost and the status is 0")
        subprocess.run(["unzip", "-tqq", "out.zip"], check=True, stdout=subprocess.DEVNULL)
        self.run(["archive", "list", "out.zip"])
        os.remove("out.zip")


    def kill(self) -> str:
        """Ends a run at a random moment of its time; then another one has to come to its end."""
        salvage = [self.valise, "archive", "salvage", "broken.zip", "killed.zip", "--quiet", "--passphrase-file", "key"]
        pathlib.Path("killed.zip").unlink(missing_ok=True)
        running = subprocess.Popen(salvage, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * self.duration)
        running.kill()
        running.wait()
        state = "ended" if running.returncode >= 0 else "killed before"
        left = {path.name for path in pathlib.Path(".").glob("*killed.zip*")}
        if "killed.zip" in left:
            state = "ended" if running.returncode >= 0 else "killed after"
            subprocess.run(["unzip", "-tqq", "killed.zip"], check=True, stdout=subprocess.DEVNULL)
            os.remove("killed.zip")
        elif state == "killed before" and left:
            state = "killed with leftovers"
        start = time.perf_counter()
        result = subprocess.run(salvage, capture_output=True, text=True)
        self.duration = time.perf_counter() - start
        if result.returncode not in (0, 3):
            sys.exit(f"after a kill: {result.returncode} {result.stderr}")
        subprocess.run(["unzip", "-tqq", "killed.zip"], check=True, stdout=subprocess.DEVNULL)
        if (left := {path.name for path in pathlib.Path(".").glob("*killed.zip*")}) != {"killed.zip"}:
            sys.exit(f"left behind: {left}")
        return state

    def kills(self, count: int) -> None:
        data = bytearray(self.original.bytes)
        # In the middle of the chat database, so that the folder beside the archive is made, too.
        first, last = self.original.data("simplex_v1_chat.db")
        data[(first + last) // 2:(first + last) // 2 + 100] = bytes(100)
        pathlib.Path("broken.zip").write_bytes(data)
        self.duration = 1.0
        states = collections.Counter(self.kill() for _ in range(count))
        print(f"{count} kills: {dict(states)}; no archive or a whole one, and the next run swept up", flush=True)


def read(path: str) -> float:
    start = time.perf_counter()
    buffer = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass
    return time.perf_counter() - start


def forget(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


class Clock:
    """Times of salvage against reading, for one state of the cache."""

    def __init__(self, name: str, folder: str, is_cold: bool) -> None:
        self.name = name
        self.folder = folder
        self.is_cold = is_cold
        self.ratios: dict[str, list[float]] = {
            "look": [], "whole": [], "copy": [], "write": [], "whole - write": []}

    def timed(self, act) -> float:
        if self.is_cold:
            forget(f"{self.folder}/broken.zip")
        start = time.perf_counter()
        act()
        return time.perf_counter() - start

    def measure(self, world: World) -> None:
        broken, out = f"{self.folder}/broken.zip", f"{self.folder}/out.zip"
        shutil.copyfile("broken.zip", broken)
        if not self.is_cold:
            read(broken)
        reading = self.timed(lambda: read(broken))
        salvage = ["archive", "salvage", broken, out, "--quiet"]
        look = self.timed(lambda: world.run([*salvage, "--dry-run"], (0, 3, 13)))
        whole = self.timed(lambda: world.run(salvage, (0, 3, 13)))
        copy = self.timed(lambda: self.copy(broken))
        pathlib.Path(f"{broken}.copy").unlink()
        write = self.timed(lambda: self.write(broken))
        durations = [("look", look), ("whole", whole), ("copy", copy), ("write", write), ("whole - write", whole - write)]
        for name, duration in durations:
            self.ratios[name].append(duration / reading)
        for path in [broken, out, f"{broken}.copy"]:
            pathlib.Path(path).unlink(missing_ok=True)

    def write(self, broken: str) -> None:
        """What is not ours: writing so many bytes from memory, and waiting for the disk."""
        megabytes = os.path.getsize(broken) // 1_000_000
        subprocess.run(
            ["dd", "if=/dev/zero", f"of={broken}.copy", "bs=1000000", f"count={megabytes}", "conv=fsync", "status=none"],
            check=True)

    def copy(self, broken: str) -> None:
        """What any program needs that leaves a durable file of this size."""
        with open(broken, "rb") as source, open(f"{broken}.copy", "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
            target.flush()
            os.fsync(target.fileno())

    def print(self) -> None:
        texts = [f"{name} {statistics.median(ratios):.2f} (at most {max(ratios):.2f})"
                 for name, ratios in self.ratios.items()]
        print(f"{self.name}: times of reading the file: {', '.join(texts)}", flush=True)


def broken(original: Original, kind: str, number: int) -> tuple[bytes, tuple[int, int]]:
    size = len(original.bytes)
    if kind == "truncation":
        length = random.randrange(1, size)
        return original.bytes[:length], (length, size)
    start = random.randrange(0, size)
    end = min(size, start + HOLE)
    hole = bytes(end - start) if number % 2 == 0 else random.randbytes(end - start)
    return original.bytes[:start] + hole + original.bytes[end:], (start, end)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    kills = int(sys.argv[5]) if len(sys.argv) > 5 else 30
    soaking.seeded(4)
    with soaking.workplace() as folder, tempfile.TemporaryDirectory() as disk:
        world = World(programs, megabytes)
        clocks = [Clock("in memory", folder, False), Clock("from the disk", disk, True)]
        os.mkdir("clock")
        clocks[0].folder = "clock"
        for kind in ["truncation", "hole"]:
            for number in range(rounds):
                data, damage = broken(world.original, kind, number)
                pathlib.Path("broken.zip").write_bytes(data)
                world.check(damage, f"{kind} {damage}")
                if number % TIMED == 0 and len(data) > 100_000_000:
                    for clock in clocks:
                        clock.measure(world)
            print(f"{kind}: {rounds} rounds; every whole entry was kept, and nothing false", flush=True)
        for clock in clocks:
            if clock.ratios["look"]:
                clock.print()
        world.kills(kills)


main()
