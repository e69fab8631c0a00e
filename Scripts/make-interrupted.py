"""Kills operations of a program at each of their phases, and keeps what they leave as fixtures.

Usage: make-interrupted.py VALISE FOLDER [KIND...]

VALISE is the program that is interrupted, with valise-relay beside it; FOLDER gets an archive for each kind of operation. For
each kind the operation is run once and its operations on files are counted; then it is killed at each of them, from a fresh
start, and what is left is kept if nothing of the same shape was kept before: which files are there, which databases are still
those of before, how far records and journals are. Needs cc, and sqlcipher.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from interrupted import fixture, kinds
from interrupted.place import TOO_LONG, Fault, Place, new_host, new_root
from interrupted.rewriting import MAGIC, Rewriting, shell

FAULTLINE = pathlib.Path(__file__).parent.parent / "Tests/CommandLineTests/Support/faultline.c"
# What is encrypted with the same bytes each time is kept once: new databases, the queue of jobs, chunks of transfers.
RANDOMNESS = """
#include <stdint.h>
#include <string.h>
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
"""
# So many kills of one kind, spread over all its operations but for the last ones, where all is decided.
MOST_KILLS, LAST = 56, 36
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
                    self.run({"MODE": "count", "REPORT": report.name}, places)
                    count = int(pathlib.Path(report.name).read_text())
                if places == kind.places:
                    self.keep("after")
                    step = max(1, (count - LAST) // (MOST_KILLS - LAST))
                    numbers = sorted({*range(1, max(1, count - LAST), step), *range(max(1, count - LAST), count + 1)})
                else:
                    # A job that was written when nothing of it was begun, and one whose end was not.
                    numbers = [count // 2, count] if count else []
                points += [(places, number) for number in numbers]
            for places, number in points:
                self.renew(start)
                if self.run({"MODE": "kill", "AT": str(number)}, places) != -9:
                    continue
                shape = self.shape()
                if shape not in self.shapes:
                    self.shapes.add(shape)
                    self.keep(f"{'jobs-' if places != kind.places else ''}{number:03}")
            self.thin()
            size = fixture.write(folder / f"{kind.name}.tar.xz", self.phases, self.blobs)
            return f"{kind.name}: {len(points)} kills, {len(self.shapes)} phases, {len(self.phases) - 2} kept, {size} bytes"
        finally:
            place.remove()

    def thin(self) -> None:
        """Of very many the first and last ones, and some between."""
        ends, middle = self.phases[:2], self.phases[2:]
        most = self.kind.most
        if len(middle) > most:
            chosen = {round(index * (len(middle) - 1) / (most - 1)) for index in range(most)}
            middle = [phase for index, phase in enumerate(middle) if index in chosen]
        self.phases = ends + middle

    # Shapes.

    def shape(self) -> str:
        found, root = {}, self.place.root
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
                # Media: none, some or all of them.
                folder = str(pathlib.Path(plain).parent)
                found[f"{folder}/*"] = found.get(f"{folder}/*", "") + self.is_former(name, path)[0]
        return json.dumps({name: "".join(sorted(set(value))) if name.endswith("/*") else value for name, value in found.items()})

    def is_former(self, name: str, path: pathlib.Path) -> str:
        import hashlib
        return "same" if self.before.get(name) == hashlib.sha256(path.read_bytes()).hexdigest() else "new"

    @staticmethod
    def records(content: bytes) -> str:
        tags, offset = set(), len(MAGIC)
        while offset + 5 <= len(content):
            tags.add(content[offset + 4])
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
