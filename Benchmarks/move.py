"""An account from one machine to another over our own relay on loopback, against the bare bytes of its archive.

Usage: move.py FOLDER_OF_THE_PROGRAMS [ACCOUNT_BYTES ROUNDS]

`move send` and `move receive` read, prove, encrypt, transfer, verify, import and prove again; `file send` and `file
receive` transfer a file of the same bytes in the same round. All files lie in memory (/dev/shm), so that no disk is
measured.

What the sending side has on its disk beside the account is watched all the time, files without a name too: an archive
would be seen. The account that arrives is compared, and the relay has to keep nothing in the end.
"""

import json
import os
import pathlib
import shutil
import stat
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measuring import private
from transfer import Relay

# Of what the sending side writes beside the account: journals and records, in bytes.
MOST_ON_DISK = 16 << 20
MOST_MEMORY = 96 << 10


class Disk(threading.Thread):
    """The most bytes that a process had on the disk beside what was there, and how many it had written."""

    def __init__(self, process: int, folders: list[pathlib.Path], account: pathlib.Path) -> None:
        super().__init__(daemon=True)
        self.process, self.folders = process, folders
        self.before = {path: size for path, size in self.files()}
        self.account = {entry.stat().st_ino for entry in account.rglob("*")}
        self.most = 0
        self.looks = 0
        self.ended = False

    def files(self):
        for folder in self.folders:
            for parent, _, names in os.walk(folder):
                for name in names:
                    try:
                        found = os.lstat(os.path.join(parent, name))
                    except FileNotFoundError:
                        continue
                    yield os.path.join(parent, name), found.st_blocks * 512

    def nameless(self) -> int:
        """Of files that are open and in no folder any more."""
        size = 0
        try:
            for descriptor in os.listdir(f"/proc/{self.process}/fd"):
                found = os.stat(f"/proc/{self.process}/fd/{descriptor}")
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 0 and found.st_ino not in self.account:
                    size += found.st_blocks * 512
        except (FileNotFoundError, ProcessLookupError):
            pass
        return size

    def run(self) -> None:
        while not self.ended:
            beside = sum(max(0, size - self.before.get(path, 0)) for path, size in self.files())
            self.most = max(self.most, beside + self.nameless())
            self.looks += 1
            time.sleep(0.02)


class Bench:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, size: int) -> None:
        self.valise = programs / "valise"
        self.folder = folder
        for machine in ("old", "new", "files"):
            (folder / machine / "temporary").mkdir(parents=True)
        self.account = folder / "old/account"
        self.key = folder / "passphrase"
        private(self.key, "a sample passphrase that somebody knows")
        subprocess.run(
            [programs / "valise-sample", self.account, "--passphrase-file", self.key, "--messages", "20000",
             "--media-bytes", str(size)], check=True, stdout=subprocess.DEVNULL)
        self.relay = Relay(programs, folder)
        self.times: dict[str, list[float]] = {}
        self.memory: dict[str, int] = {}
        self.on_disk = 0

    def measure(self, name: str, machine: str, command: list, link: str = "", watched: bool = False) -> dict:
        """What the command says, its seconds and peak memory noted."""
        home = self.folder / machine
        environment = {
            **os.environ, "HOME": str(home), "TMPDIR": str(home / "temporary"),
            "XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "configuration")}
        given = home / "input"
        given.write_text(link)
        os.sync()
        with open(given) as standard_input, open(home / "output", "w") as output:
            start = time.monotonic()
            process = subprocess.Popen(
                [self.valise, *command, "--json", "--quiet"], stdin=standard_input, stdout=output, cwd=home,
                env=environment)
            if watched:
                # The folder of the account is in the home.
                disk = Disk(process.pid, [home], self.account)
                disk.start()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{command} failed: {(home / 'output').read_text()}")
        if watched:
            disk.ended = True
            disk.join()
            if disk.looks < 10 * seconds:
                sys.exit(f"the disk was looked at only {disk.looks} times in {seconds:.1f} s")
            self.on_disk = max(self.on_disk, disk.most)
        self.times.setdefault(name, []).append(seconds)
        self.memory[name] = max(self.memory.get(name, 0), usage.ru_maxrss)
        return json.loads((home / "output").read_text())

    def files(self) -> None:
        """The bytes of the archive, as a file. Reproducible and stored, it is what `move send` sends."""
        files = self.folder / "files"
        export = subprocess.run(
            [self.valise, "archive", "export", self.account, files / "archive.zip", "--no-compression",
             "--reproducible", "--quiet"], env={**os.environ, "HOME": str(files)}, stdout=subprocess.DEVNULL)
        if export.returncode != 0:
            sys.exit("archive export failed")
        self.size = (files / "archive.zip").stat().st_size
        sent = self.measure(
            "file send", "files",
            ["file", "send", "archive.zip", "--server", self.relay.address, "--redirect", "always",
             "--descriptions", "."])
        (files / "archive.zip").rename(files / "sent.zip")
        self.measure(
            "file receive", "files",
            ["file", "receive", "-", "--output", "archive.zip", "--approve-relays"], sent["files"][0]["file"]["links"][0][0])
        subprocess.run(["cmp", "sent.zip", "archive.zip"], cwd=files, check=True)
        subprocess.run(
            [self.valise, "file", "delete", "archive.zip.xftp", "--quiet"], cwd=files, check=True,
            stdout=subprocess.DEVNULL, env={**os.environ, "HOME": str(files)})
        for name in ("sent.zip", "archive.zip"):
            (files / name).unlink()
        shutil.rmtree(files / "archive.zip.xftp")

    def move(self) -> None:
        old, new = self.folder / "old", self.folder / "new"
        sent = self.measure(
            "move send", "old",
            ["move", "send", self.account, "--server", self.relay.address, "--yes", "--passphrase-file", self.key],
            watched=True)
        if sent["archiveSize"] != self.size:
            sys.exit(f"{sent['archiveSize']} bytes were sent, and the archive has {self.size}")
        received = self.measure(
            "move receive", "new",
            ["move", "receive", "-", new / "account", "--yes", "--approve-relays", "--passphrase-file", self.key,
             "--network-config", "leave", "--confirm", "error"], "\n".join(sent["links"]))
        if received["words"] != sent["words"]:
            sys.exit(f"the words differ: {sent['words']} and {received['words']}")
        for database in ("chat", "agent"):
            subprocess.run(
                ["cmp", self.account / f"simplex_v1_{database}.db", new / "account" / f"simplex_v1_{database}.db"],
                check=True)
        subprocess.run(
            ["diff", "-r", self.account / "simplex_v1_files", new / "account/simplex_v1_files"], check=True)
        self.measure("move finish", "old", ["move", "finish", self.account, "--words", received["words"]])
        if left := list((self.folder / "relay/files").iterdir()):
            sys.exit(f"the relay keeps {len(left)} chunks")
        # In use again for the next round.
        self.measure("move restore", "old", ["move", "restore", self.account, "--yes"])
        shutil.rmtree(new)
        (new / "temporary").mkdir(parents=True)

    def report(self) -> None:
        for name, seconds in self.times.items():
            print(
                f"{name:13} {statistics.median(seconds):7.2f} s  {self.size / statistics.median(seconds) / 1e6:6.0f} MB/s"
                f"  {self.memory[name] // 1024:4} MiB   (rounds: {' '.join(f'{value:.2f}' for value in seconds)})")
        files = [sum(pair) for pair in zip(self.times["file send"], self.times["file receive"])]
        moves = [sum(pair) for pair in zip(self.times["move send"], self.times["move receive"])]
        ratios = [ours / bare for ours, bare in zip(files, moves)]
        print(
            f"move          x {statistics.median(ratios):.2f} of the rate of file send + receive, for {self.size:,} bytes "
            f"(rounds: {' '.join(f'{ratio:.2f}' for ratio in ratios)}; at least 0.70)")
        memory = max(self.memory["move send"], self.memory["move receive"])
        print(f"memory        at most {memory // 1024} MiB on each side (at most {MOST_MEMORY // 1024})")
        print(
            f"no archive    the sending side had at most {self.on_disk / 1e6:.3f} MB beside the account on its disk "
            f"(at most {MOST_ON_DISK / 1e6:.0f})")
        print(f"relay         peak {self.relay.memory() // 1024} MiB")
        if statistics.median(ratios) < 0.7 or memory > MOST_MEMORY or self.on_disk > MOST_ON_DISK:
            sys.exit("a figure is not within its bound")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000_000_000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        bench = Bench(programs, pathlib.Path(folder), size)
        try:
            for _ in range(rounds):
                bench.files()
                bench.move()
            bench.report()
        finally:
            bench.relay.stop()


main()
