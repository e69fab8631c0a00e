"""Kills operations of a program at each of their phases, and keeps what they leave as fixtures.

Usage: make-interrupted.py VALISE FOLDER [KIND...]

VALISE is the program that is interrupted, with valise-relay beside it; FOLDER gets an archive for each kind of operation. For
each kind the operation is run once and its operations on files are listed; then it is killed before each of them, from a fresh
start, and what is left is kept if nothing of the same shape was kept before: which files are there, which of them are still
those of before, how far records and journals are, and which jobs are in the queue. Only of very many operations, those that
follow a flush or a further write to the same file are left out: nothing of that has changed then. Needs cc, and sqlcipher.
"""

import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from interrupted import fixture, kinds
from interrupted.place import TOO_LONG, Fault, Place, new_host, new_root
from interrupted.rewriting import MAGIC, Rewriting, shell

FAULTLINE = pathlib.Path(__file__).parent.parent / "Tests/5-Commands/Commands/Support/faultline.c"
# What is encrypted with the same bytes each time is kept once: new databases, the queue of jobs, chunks of transfers.
RANDOMNESS = """
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
int RAND_bytes(unsigned char *bytes, int count) { memset(bytes, 0x42, count); return 1; }
int RAND_priv_bytes(unsigned char *bytes, int count) { return RAND_bytes(bytes, count); }
void randombytes_buf(void *bytes, unsigned long count) { memset(bytes, 0x42, count); }
static _Atomic uint64_t state = 1;
ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    for (size_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = (state = state * 6364136223846793005u + 1442695040888963407u) >> 56;
    return count;
}
int getentropy(void *bytes, size_t count) { getrandom(bytes, count, 0); return 0; }
void arc4random_buf(void *bytes, size_t count) { getrandom(bytes, count, 0); }
/* By this the runtime of Swift asks for it, where it is part of the program. */
long syscall(long number, ...) {
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom) return getrandom((void *)arguments[0], arguments[1], 0);
    long result;
    register long r10 __asm__("r10") = arguments[3];
    register long r8 __asm__("r8") = arguments[4];
    register long r9 __asm__("r9") = arguments[5];
    __asm__ volatile(
        "syscall" : "=a"(result) : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(r10), "r"(r8), "r"(r9)
        : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) return errno = -result, -1;
    return result;
}
"""
# What the system says of an operation: its number, its name, and on which path.
OPERATION = re.compile(r"(\d+) (\w+) (.+?)(?: -> .+?)?(?: \d+)*$")
WRITES = {"write", "pwrite", "writev", "pwritev", "copy_file_range", "sendfile", "ftruncate", "truncate", "fallocate"}
# Of so many operations each is one before which it is killed.
ALL = 200
FLUSHES = {"fsync", "fdatasync", "syncfs", "sync_file_range"}
# Each record that is appended to one is a state of its own.
RECORDS = re.compile(r"/(?:journal|move\.json|serving\.json|manifest\.jsonl?|[^/]*\.journal|[^/]*\.private)(?:\.new)?$")
# Random parts of names.
RANDOM = [
    (re.compile(r"upload-[a-z0-9]+"), "upload-ID"), (re.compile(r"moves/[a-z0-9]{10}"), "moves/ID"),
    (re.compile(r"\.move-[a-z0-9]+"), ".move-ID"), (re.compile(r"receive-[a-z0-9]+"), "receive-ID"),
    (re.compile(r"purged-[0-9TZ-]+"), "purged-TIME"), (re.compile(r"relay/files/.*"), "relay/files/ID"),
    (re.compile(r"\.valise-[a-z0-9]{8,}\b"), ".valise-ID"), (re.compile(r"moves/\.[^/]+"), "moves/.ID"),
]


class Maker:
    def __init__(self, programs: pathlib.Path, library: pathlib.Path, kind: kinds.Kind) -> None:
        self.kind = kind
        self.preload = f"{library}:{library.with_name('randomness.so')}"
        self.place = Place(programs, new_root(), new_host())
        self.blobs: dict[str, bytes] = {}
        self.phases: list[fixture.Phase] = []
        self.shapes: set[str] = set()

    def keep(self, name: str) -> None:
        root = self.place.root
        # The log of the queue is folded in, as the first look at it would; it would be another one with each kill.
        for queue in root.glob("home*/state/valise/jobs/queue.db"):
            key = (queue.parent / "key").read_bytes().hex()
            shell(queue, f"PRAGMA key = \"x'{key}'\"; PRAGMA wal_checkpoint(TRUNCATE);", self.preload.split(":")[1])
        entries = fixture.take(root, self.blobs)
        if name == "after":
            # Only looked at; what the relay keeps then is large.
            entries = [entry for entry in entries if not entry["path"].startswith("relay/files/")]
        self.phases.append(fixture.Phase(name, int(time.time()), entries, f"{root} {self.place.host}"))

    def renew(self, start: fixture.Fixture) -> None:
        files = start.restore("before", self.place.root)
        Rewriting({}, files, start.phases["before"].made, int(time.time())).apply(self.place.root)
        start.settle("before", self.place.root)

    def run(self, variables: dict[str, str], places: tuple[str, ...]) -> int:
        """The status; nothing of the relay is left running."""
        place, kind = self.place, self.kind
        if kind.usesRelay:
            place.start_relay()
        for folder in places:
            (place.root / folder).parent.mkdir(0o700, parents=True, exist_ok=True)
        environment = {
            **place.environment(kind.home), "LD_PRELOAD": self.preload,
            "FAULTLINE_ROOT": ":".join(str(place.root / folder) for folder in places),
            **{f"FAULTLINE_{name}": value for name, value in variables.items()}}
        given = (place.root / kind.given).read_bytes() if kind.given else b""
        result = subprocess.run(
            [place.programs / "valise", *place.words(kinds.words(kind, place))], cwd=place.root, env=environment,
            input=given, capture_output=True, timeout=TOO_LONG)
        place.stop_relay()
        if result.returncode not in (-9, *kind.statuses):
            raise Fault(f"{kind.name}: status {result.returncode}: {result.stderr.decode()}")
        return result.returncode

    def make(self, folder: pathlib.Path) -> str:
        place, kind = self.place, self.kind
        try:
            place.begin_files()
            kind.prepare(place)
            self.keep("before")
            path = pathlib.Path(tempfile.mkstemp(suffix=".tar.xz")[1])
            fixture.write(path, self.phases, self.blobs)
            start = fixture.Fixture(path)
            path.unlink()
            self.before = {entry["path"]: entry.get("blob") for entry in self.phases[0].entries}
            points = []
            for places in (kind.places, (f"{kind.home}/state/valise/jobs",)):
                self.renew(start)
                with tempfile.NamedTemporaryFile() as report:
                    self.run({"MODE": "trace", "REPORT": report.name}, places)
                    numbers = self.changes(pathlib.Path(report.name).read_text().splitlines())
                if places == kind.places:
                    self.keep("after")
                points += [(places, number) for number in numbers]
            # What goes over a network comes in another order the next time.
            for index, (places, number) in enumerate(points * (2 if kind.usesRelay else 1)):
                self.renew(start)
                if self.run({"MODE": "kill", "AT": str(number)}, places) != -9:
                    continue
                shape = self.shape()
                if shape not in self.shapes:
                    self.shapes.add(shape)
                    self.keep(f"{'jobs-' if places != kind.places else ''}{number:03}{'-again' if index >= len(points) else ''}")
            size = fixture.write(folder / f"{kind.name}.tar.xz", self.phases, self.blobs)
            return f"{kind.name}: {len(points)} kills, {len(self.shapes)} phases, {len(self.phases) - 2} kept, {size} bytes"
        finally:
            place.remove()

    @staticmethod
    def changes(lines: list[str]) -> list[int]:
        """The numbers of the operations before which something has just changed that a shape tells of, or all of few."""
        count = int(lines[-1]) if lines else 0
        if count <= ALL:
            return list(range(1, count + 2))
        found, written = [1], set()
        for line in lines:
            if not (match := OPERATION.match(line)):
                continue
            number, name, path = int(match[1]), match[2], match[3]
            # A transaction on the queue of jobs ends with a flush.
            isQueue = "/valise/jobs/" in path
            if name in FLUSHES and not isQueue or name in WRITES and path in written and not RECORDS.search(path):
                continue
            if name in WRITES:
                written.add(path)
            elif name not in FLUSHES:
                written.discard(path)
            found.append(number + 1)
        return found

    # Shapes.

    def shape(self) -> str:
        found, media, root = {"jobs": self.jobs()}, collections.Counter(), self.place.root
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            plain = name
            for pattern, word in RANDOM:
                plain = pattern.sub(word, plain)
            if plain.startswith(("home/", "home2/")) and "/jobs/" in plain:
                continue
            if path.is_dir():
                found.setdefault(plain, "folder")
            elif path.name == "move.json":
                found[plain] = json.loads(path.read_text())["move"]["state"]["type"]
            elif path.name == "journal.json":
                found[plain] = "decided"
            elif path.read_bytes()[:len(MAGIC)] == MAGIC:
                found[plain] = self.records(path.read_bytes())
            elif path.suffix == ".db" or not re.search(r"files|former|wallpapers", plain):
                found[plain] = self.is_former(name, path)
            else:
                # Media: how many are those of before, how many are other ones.
                media[(str(pathlib.Path(plain).parent), self.is_former(name, path))] += 1
        if self.kind.usesRelay:
            # What a relay keeps is its own affair: chunks or none.
            media = collections.Counter({key: min(1, number) if key[0].startswith("relay") else number for key, number in media.items()})
        return json.dumps([found, sorted(media.items())])

    def jobs(self) -> str:
        """The kinds and states of what is in the queue."""
        queue = self.place.root / self.kind.home / "state/valise/jobs/queue.db"
        if not queue.exists() or not queue.with_name("key").exists():
            return "none"
        key = queue.with_name("key").read_bytes().hex()
        try:
            return shell(queue, f"PRAGMA key = \"x'{key}'\"; SELECT kind, state FROM jobs;", self.preload.split(":")[1])
        except RuntimeError:
            return "without tables"

    def is_former(self, name: str, path: pathlib.Path) -> str:
        return "same" if self.before.get(name) == hashlib.sha256(path.read_bytes()).hexdigest() else "new"

    @staticmethod
    def records(content: bytes) -> str:
        tags, offset = [], len(MAGIC)
        while offset + 5 <= len(content):
            tags.append(content[offset + 4])
            offset += int.from_bytes(content[offset:offset + 4], "big") + 12
        return f"records {sorted(tags)}"


def main() -> None:
    programs, folder = pathlib.Path(sys.argv[1]).resolve().parent, pathlib.Path(sys.argv[2])
    wanted = sys.argv[3:] or [kind.name for kind in kinds.KINDS]
    with tempfile.TemporaryDirectory() as work:
        library = pathlib.Path(work, "faultline.so")
        subprocess.run(
            ["cc", "-std=gnu11", "-shared", "-fPIC", "-O2", "-o", library, FAULTLINE, "-ldl"], check=True)
        pathlib.Path(work, "randomness.c").write_text(RANDOMNESS)
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", library.with_name("randomness.so"), pathlib.Path(work, "randomness.c")],
            check=True)
        for kind in kinds.KINDS:
            if kind.name in wanted:
                print(Maker(programs, library, kind).make(folder), flush=True)


if __name__ == "__main__":
    main()
