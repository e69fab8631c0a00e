"""CryptoFile against libsodium in memory and against the disk, as ratios of runs that follow each other.

Usage: media.py FOLDER_OF_THE_PROGRAMS [FILE_BYTES FILES ROUNDS]

One large file, and an account with many files of 100 KiB. Both once on the disk, where every run ends with a
flush and `cp` with its own shows the limit, and once in memory (/dev/shm), where only the work counts. The
limit of one core is libsodium's crypto_secretbox_detached on 16 MiB, measured in the same round.
"""

import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from measuring import flushed, measure, private, remove

SIZE = 100 << 10


def warm(folder: pathlib.Path, size: int) -> None:
    """Makes memory ready: a virtual machine gets fresh pages from its host at the speed of a slow disk."""
    subprocess.run(f"head -c {size} /dev/zero > ballast; rm ballast", shell=True, cwd=folder, check=True)


def secretbox(programs: pathlib.Path) -> float:
    """Bytes a second that libsodium encrypts on one core."""
    output = subprocess.run([programs / "valise-limits"], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"^secretbox libsodium 1 (\d+) MB/s", output, re.M)[1]) * 1e6


class Figures:
    def __init__(self) -> None:
        self.rates: dict[str, list[float]] = {}
        self.ratios: dict[str, list[float]] = {}
        self.memory: dict[str, int] = {}

    def add(self, name: str, size: int, run: tuple[float, int], limit: float) -> None:
        rate = size / run[0]
        self.rates.setdefault(name, []).append(rate)
        self.ratios.setdefault(name, []).append(rate / limit)
        self.memory[name] = max(self.memory.get(name, 0), run[1])

    def report(self) -> None:
        for name, rates in self.rates.items():
            print(
                f"{name:34} {statistics.median(rates) / 1e6:7.0f} MB/s  {self.memory[name] // 1024:4} MiB   "
                f"x {statistics.median(self.ratios[name]):5.2f} of secretbox on one core")


def one_file(valise: str, folder: pathlib.Path, size: int, limit: float, place: str, figures: Figures) -> None:
    """Encrypts and decrypts one file of `size` bytes, and copies it."""
    source = folder / "source"
    if not source.exists():
        with open(source, "wb") as file, open("/dev/urandom", "rb") as noise:
            for _ in range(size >> 20):
                file.write(noise.read(1 << 20))
    warm(folder, size)
    figures.add(f"file encrypt, {place}", size, measure(
        [valise, "file", "encrypt", "source", "sealed", "--key-output", "key"], folder), limit)
    warm(folder, size)
    figures.add(f"file decrypt, {place}", size, measure(
        [valise, "file", "decrypt", "sealed", "opened", "--key-file", "key"], folder), limit)
    subprocess.run(["cmp", "source", "opened"], cwd=folder, check=True)
    figures.add(f"file verify, {place}", size, measure(
        [valise, "file", "verify", "sealed", "--key-file", "key"], folder), limit)
    remove(folder / "opened")
    warm(folder, size)
    figures.add(f"cp, {place}", size, measure(["sh", "-ec", flushed("cp source copy", "copy")[2]], folder), limit)
    for name in ["copy", "sealed", "key"]:
        remove(folder / name)


def account(valise: str, folder: pathlib.Path, size: int, limit: float, place: str, figures: Figures) -> None:
    """Encrypts and decrypts an account's media with all cores and with one."""
    rates = {}
    for cores, prefix in [("all cores", []), ("one core", ["taskset", "-c", "0"])]:
        shutil.copytree(folder / "template", folder / "account")
        for act in ["encrypt", "decrypt"]:
            warm(folder, size)
            command = [*prefix, valise, "media", act, "account", "--passphrase-file", "passphrase", "--quiet"]
            run = measure(command, folder, statuses=(0, 3))
            figures.add(f"media {act}, {place}, {cores}", size, run, limit)
            rates[act, cores] = run[0]
        remove(folder / "account")
    for act in ["encrypt", "decrypt"]:
        ratio = rates[act, "one core"] / rates[act, "all cores"]
        print(f"  media {act}, {place}: all cores are {ratio:.2f} x as fast as one")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    size, files, rounds = [int(a) for a in sys.argv[2:]] or [2 << 30, 10_000, 3]
    valise = str(programs / "valise")
    figures = Figures()
    with tempfile.TemporaryDirectory() as disk, tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        for name in [disk, memory]:
            folder = pathlib.Path(name)
            private(folder / "passphrase", "bench")
            subprocess.run(
                [programs / "valise-sample", "template", "--passphrase-file", "passphrase", "--messages", "100",
                 "--media-bytes", str(files * SIZE), "--media-size", str(SIZE), "--media-encryption", "plain"],
                cwd=folder, check=True)
        for _ in range(rounds):
            for place, name in [("disk", disk), ("memory", memory)]:
                limit = secretbox(programs)
                one_file(valise, pathlib.Path(name), size, limit, place, figures)
                account(valise, pathlib.Path(name), files * SIZE, limit, place, figures)
    figures.report()


main()
