"""Stores of tcfs: what it takes to put, to get, to verify and to list, as ratios of runs that follow each other.

Usage: store.py FOLDER_OF_THE_PROGRAMS [BYTES ROUNDS ENTRIES]

A file of 1 GiB that does not shrink is put into a store with encryption, beside what only hashes it (b3sum), only encrypts it
(age), and does all of that in its own format (restic). It is got back over S3 on the loopback, beside what fetches the same
objects and does nothing with them (curl, rclone). The S3 is Scripts/servers/objects.py, because those that can be installed are
slower than any client; it takes its share of the same processors. A store is verified beside b3sum and cat of its files. A million
entries of an index are listed beside find. Everything is in memory, where there is such a place: nobody wants to measure the disk.

tcfs publishes 41 to 57 MB/s for all of putting, 405 to 564 for its cuts alone, and 5.8 for getting a large file (i7-8550U).
"""

import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from measuring import Runs, cache, measure, present, private, remove, report, size

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "valise"
PEERS_PYTHON = CACHE / "store-peers/bin/python"

# What the figures are to be, in MB/s; a list in seconds and MiB.
PUT, GET, LIST_SECONDS, LIST_MEMORY = 400, 150, 2, 150
IN_FLIGHT = 8
# One file may not have more names than that on the usual disks.
LINKS = 50_000
IN_FOLDER = 1_000
PATH = "media/video.mp4"


class Commands:
    """What is measured of Valise: the only place that knows how its commands are called."""

    def __init__(self, programs: pathlib.Path) -> None:
        self.valise = str(programs / "valise")

    def put(self, store: str, file: str) -> list[str]:
        return [self.valise, "store", "put", store, file, PATH, "--key-file", "key", "--quiet"]

    def get(self, store: str, target: str) -> list[str]:
        return [self.valise, "store", "get", store, PATH, target, "--key-file", "key", "--quiet"]

    def verify(self, store: str) -> list[str]:
        return [self.valise, "store", "verify", store, "--key-file", "key", "--quiet"]

    def list(self, store: str) -> list[str]:
        return [self.valise, "store", "list", store, "--recursive"]


class World:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, bytes_of_file: int, rounds: int) -> None:
        self.commands = Commands(programs)
        self.folder, self.bytes, self.rounds = folder, bytes_of_file, rounds
        private(folder / "key", os.urandom(32).hex())
        private(folder / "password", "a password")
        os.environ |= {
            "RESTIC_PASSWORD_FILE": str(folder / "password"), "RESTIC_CACHE_DIR": str(folder / "cache"),
            "XDG_STATE_HOME": str(folder / "state"), "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        with (folder / "file").open("wb") as file:
            for begin in range(0, bytes_of_file, 1 << 24):
                file.write(os.urandom(min(1 << 24, bytes_of_file - begin)))

    def run(self, *command: str) -> None:
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def measured(self, commands: dict, source: pathlib.Path) -> Runs:
        """Each command with what it makes, which is removed, and what has to be done before."""
        runs: Runs = {name: [] for name in commands}
        for _ in range(self.rounds):
            for name, (command, made, prepare) in commands.items():
                if prepare:
                    self.run(*prepare)
                cache(source)
                runs[name].append(measure(command, self.folder))
                for one in made:
                    remove(self.folder / one)
        return runs

    def rate(self, name: str, runs: Runs, bytes_of_it: int, wanted: int | None = None) -> None:
        """One line: megabytes in a second."""
        if runs.get(name):
            speed = bytes_of_it / 1e6 / statistics.median(seconds for seconds, _ in runs[name])
            print(f"{name:16} {speed:7.0f} MB/s" + (f"   (at least {wanted} are wanted)" if wanted else ""), flush=True)

    # The figures

    def put(self) -> None:
        hashing = ["b3sum", "file"] if shutil.which("b3sum") else [
            str(PEERS_PYTHON), "-c",
            "import blake3; print(blake3.blake3(max_threads=blake3.blake3.AUTO).update_mmap('file').hexdigest())"]
        recipient = ""
        if shutil.which("age-keygen"):
            said = subprocess.run(["age-keygen"], capture_output=True, text=True, check=True).stdout
            recipient = next(line.split()[-1] for line in said.splitlines() if "public key" in line)
        commands = {
            "put": (self.commands.put("ours", "file"), ["ours"], ["mkdir", "ours"]),
            "b3sum": (hashing, [], None),
            "age": (["age", "-r", recipient, "-o", "sealed", "file"], ["sealed"], None),
            "restic backup": (
                ["restic", "-q", "-r", "theirs", "backup", "--compression", "off", "file"], ["theirs"],
                ["restic", "-q", "-r", "theirs", "init"]),
        }
        runs = self.measured(present(commands, ["age", "restic"]), self.folder / "file")
        for name in ["b3sum", "age", "restic backup"]:
            report("put", name, runs)
        for name in commands:
            self.rate(name, runs, self.bytes, PUT if name == "put" else None)

    def get(self) -> None:
        with served(self.folder / "served") as place:
            bucket = self.folder / "served" / place["bucket"]
            (bucket / "kept").mkdir()
            self.run(*self.commands.put(str(bucket / "kept"), "file"))
            store = f"s3:{place['address']}/{place['bucket']}/kept"
            stored = [path for path in (bucket / "kept").rglob("chunks/*") if path.is_file()]
            chunks = [path.relative_to(bucket).as_posix() for path in stored]
            print(f"{len(chunks):,} chunks of {self.bytes / len(chunks):,.0f} bytes on average")
            (self.folder / "addresses").write_text("".join(
                f'url = "{place["address"]}/{place["bucket"]}/{chunk}"\noutput = /dev/null\n' for chunk in chunks))
            commands = {
                "get": (self.commands.get(store, "got"), ["got"], None),
                "get, a folder": (self.commands.get(str(bucket / "kept"), "got"), ["got"], None),
                "curl": (
                    ["curl", "-f", "--no-progress-meter", "--noproxy", "*", "--parallel", "--parallel-max", str(IN_FLIGHT),
                     "-K", "addresses"], [], None),
                "rclone copy": (
                    ["env", "-u", "AWS_CA_BUNDLE", "rclone", "--config", os.devnull, "copy", "--transfers", str(IN_FLIGHT),
                     f"bench:{place['bucket']}/kept", "copied"], ["copied"], None),
            }
            runs = self.measured(present(commands, ["curl", "rclone"]), bucket)
            for name in ["curl", "rclone copy"]:
                report("get", name, runs)
            for name in commands:
                self.rate(name, runs, self.bytes, GET if name == "get" else None)
            self.verify(bucket / "kept")

    def verify(self, store: pathlib.Path) -> None:
        commands = {
            "verify": (self.commands.verify(str(store)), [], None),
            "cat": (["sh", "-ec", f"find '{store}' -type f -exec cat {{}} + > /dev/null"], [], None),
            "b3sum of all": (["sh", "-ec", f"find '{store}' -type f -exec b3sum {{}} + > /dev/null"], [], None),
        }
        runs = self.measured(present(commands, ["b3sum"]), store)
        for name in ["cat", "b3sum of all"]:
            report("verify", name, runs)
        for name in commands:
            self.rate(name, runs, size(store))

    def list(self, entries: int) -> None:
        make_index(self.folder / "many", entries)
        commands = {
            "list": (self.commands.list("many"), [], None),
            "find": (["find", "many/index", "-type", "f", "-printf", "%P %s\n"], [], None),
            "ls": (["ls", "-fR", "many/index"], [], None),
        }
        # Their contents are a few files with many names, and need no reading.
        runs = self.measured(commands, self.folder / "many/manifests")
        for name in ["find", "ls"]:
            report("list", name, runs)
        seconds, memory = statistics.median(run[0] for run in runs["list"]), max(run[1] for run in runs["list"])
        print(
            f"{entries:,} entries: {seconds:.2f} s and {memory // 1024} MiB   (fewer than {LIST_SECONDS} s and {LIST_MEMORY} MiB "
            "are wanted)", flush=True)


def make_index(store: pathlib.Path, entries: int) -> None:
    """An index of text entries; none of what they name is stored."""
    (store / "manifests").mkdir(parents=True)
    (store / "chunks").mkdir()
    file = None
    for number in range(entries):
        folder = store / f"index/chats/{number // IN_FOLDER:05}"
        if number % IN_FOLDER == 0:
            folder.mkdir(parents=True)
        path = folder / f"message-{number % IN_FOLDER:04}.json"
        if number % LINKS == 0:
            path.write_text(f"manifest_hash={os.urandom(32).hex()}\nsize=10001\nchunks=2\n")
            file = path
        else:
            os.link(file, path)


@contextlib.contextmanager
def served(folder: pathlib.Path):
    """What the server says of itself, and both clients know from now on."""
    folder.mkdir()
    server = subprocess.Popen(
        [sys.executable, ROOT / "Scripts/servers/objects.py", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        place = json.loads(server.stdout.readline())
        os.environ |= {
            "AWS_ACCESS_KEY_ID": place["accessKey"], "AWS_SECRET_ACCESS_KEY": place["secretKey"],
            "AWS_DEFAULT_REGION": place["region"], "RCLONE_CONFIG_BENCH_TYPE": "s3", "RCLONE_CONFIG_BENCH_PROVIDER": "Other",
            "RCLONE_CONFIG_BENCH_ENV_AUTH": "true", "RCLONE_CONFIG_BENCH_ENDPOINT": place["address"],
            "RCLONE_CONFIG_BENCH_REGION": place["region"]}
        yield place
    finally:
        server.stdin.close()
        server.wait()


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    bytes_of_file, rounds, entries = [int(a) for a in sys.argv[2:]] or [1 << 30, 3, 1_000_000]
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="valise-store-", dir=memory) as name:
        world = World(programs, pathlib.Path(name), bytes_of_file, rounds)
        world.put()
        world.get()
        remove(world.folder / "served")
        remove(world.folder / "file")
        world.list(entries)


main()
