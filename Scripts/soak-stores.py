"""Kills `valise store put`, `push`, `remove` and `collect` at random moments, on a store of tcfs in a folder.

Usage: soak-stores.py FOLDER_OF_THE_PROGRAMS [KILLS FILES SEED]

Each of KILLS ends a command by SIGKILL or SIGINT at a random moment of its time. Then the store is read by a reader of its own,
which knows nothing but the format's description and lets no contradiction pass: every path has what it had, or what it was to get,
and nothing else changed. A collection never takes what is in use or younger than its grace. The next command of the same kind
completes: no killed one counts as a conflict. Now and then a push and a collection run side by side. Half of the kills are on a
store with encryption, half on one without it, whose files share chunks.
"""

import collections
import os
import pathlib
import random
import subprocess
import sys
import time

import soaking

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/2-Formats/ContentStore/Support"))
import tcfs_format  # noqa: E402
import tcfs_reader  # noqa: E402

# Where a folder has what is being written: nowhere else is anything but objects, and the reader lets nothing else pass.
WORK, TEMPORARY = ".valise-work", "-tmp-"
# Of what nobody refers to, in seconds: what a collection leaves alone, and what is older without doubt.
GRACE, OLD = 24 * 3600, 48 * 3600
VERIFIED = 10
NAMES = ["note.txt", "photo.jpg", "voice.m4a", "index.bin", "chat.jsonl", "Fotos/straße.png", "a/b/c/deep.txt"]

State = dict[str, str]


class Commands:
    """What is killed: the only place that knows how the commands are called."""

    def __init__(self, programs: pathlib.Path, is_encrypted: bool) -> None:
        self.valise = str(programs / "valise")
        self.key = ["--key-file", "key"] if is_encrypted else []

    def put(self, file: str, path: str) -> list[str]:
        return [self.valise, "store", "put", "store", file, path, "--force", *self.key, "--quiet"]

    def push(self) -> list[str]:
        return [self.valise, "store", "push", "store", "tree", "--yes", *self.key, "--quiet"]

    def remove(self, path: str) -> list[str]:
        return [self.valise, "store", "remove", "store", path, "--yes", "--quiet"]

    def collect(self) -> list[str]:
        return [self.valise, "store", "collect", "store", "--yes", "--quiet"]

    def verify(self) -> list[str]:
        return [self.valise, "store", "verify", "store", *self.key, "--quiet"]


class World:
    """In the current folder."""

    def __init__(self, programs: pathlib.Path, files: int, is_encrypted: bool) -> None:
        self.commands = Commands(programs, is_encrypted)
        soaking.private(pathlib.Path("key"), os.urandom(32).hex())
        self.store, self.tree = pathlib.Path("store"), pathlib.Path("tree")
        self.tree.mkdir()
        self.store.mkdir()
        self.states: collections.Counter[str] = collections.Counter()
        self.durations: dict[str, float] = {}
        # Contents that were replaced: they come back, when nobody has referred to their chunks for a while.
        self.forgotten: collections.deque[bytes] = collections.deque(maxlen=20)
        for _ in range(files):
            self.write(self.tree / self.new_name())
        self.first()

    def first(self) -> None:
        begun = time.monotonic()
        self.must(self.commands.push())
        self.durations["push"] = (time.monotonic() - begun) / 2
        self.state = self.read()
        require(self.state == self.pushed(), "the first push", self.state, self.pushed())

    def must(self, command: list[str]) -> None:
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command[1:])}: status {result.returncode}\n{result.stdout}{result.stderr}")

    def kill(self, name: str, command: list[str], moment: float | None = None) -> bool:
        return soaking.kill(name, command, self.durations, self.states, 0.5, moment)

    # What there is

    def lines(self, *others: str) -> list[dict]:
        options = [str(self.store), "--portable", *self.commands.key, *others]
        try:
            return list(tcfs_reader.read(tcfs_reader.parsed_arguments(options)))
        except tcfs_format.Contradiction as reason:
            sys.exit(f"the store contradicts itself: {reason}")

    def read(self) -> State:
        """Digests by paths."""
        return {line["path"]: line["blake3"] for line in self.lines() if line["kind"] == "file"}

    def orphans(self) -> dict[str, float]:
        """What nothing refers to, with its age in seconds."""
        now = time.time()
        lines = self.lines("--orphans")
        return {line["key"]: now - (self.store / line["key"]).stat().st_mtime for line in lines if line["kind"] == "orphan"}

    def pushed(self) -> State:
        return {
            path.relative_to(self.tree).as_posix(): tcfs_format.digest(path.read_bytes())
            for path in self.tree.rglob("*") if path.is_file()}

    # What happens

    def new_name(self) -> str:
        stem, dot, extension = random.choice(NAMES).rpartition(".")
        return f"{random.choice(['', 'chats/', 'media/2026/'])}{stem}-{random.randrange(1 << 20):x}{dot}{extension}"

    def write(self, path: pathlib.Path, again: float = 0.4) -> None:
        """Something new, much of what another file has, or what was there before."""
        path.parent.mkdir(parents=True, exist_ok=True)
        content = random.randbytes(random.choice([0, 1, 2047, 5000, 40_000, random.randrange(400_000)]))
        others = [other for other in self.tree.rglob("*") if other.is_file()]
        if others and random.random() < 0.4:
            content = random.choice(others).read_bytes() + content[:5000]
        if self.forgotten and random.random() < again:
            content = random.choice(self.forgotten)
        if path.exists():
            self.forgotten.append(path.read_bytes())
        path.write_bytes(content)

    def change(self, again: float = 0.4) -> None:
        """As days of use do."""
        files = sorted(path for path in self.tree.rglob("*") if path.is_file())
        for _ in range(random.randint(1, 12)):
            self.write(random.choice(files) if random.random() < 0.6 else self.tree / self.new_name(), again)

    def age(self, share: float = 0.7) -> None:
        """Most objects are from days ago."""
        moment = time.time() - OLD
        for path in self.store.rglob("*"):
            if path.is_file() and random.random() < share:
                os.utime(path, (moment, moment))

    # What is killed

    def put(self) -> None:
        # What is of the tree is pushed: another version of it would be a conflict when both have changed.
        single = [path for path in sorted(self.state) if not (self.tree / path).exists()]
        path = random.choice(single) if single and random.random() < 0.4 else f"single/{self.new_name()}"
        source = pathlib.Path("single")
        self.write(source)
        self.one("put", self.commands.put(str(source), path), {path: tcfs_format.digest(source.read_bytes())})

    def push(self) -> None:
        self.change()
        self.one("push", self.commands.push(), self.pushed())

    def one(self, name: str, command: list[str], new: State, moment: float | None = None) -> None:
        """A command that gives paths new contents."""
        wanted = self.state | new
        ended = self.kill(name, command, moment)
        found = self.read()
        for path in wanted.keys() | found.keys():
            allowed = {wanted.get(path)} | (set() if ended else {self.state.get(path)})
            if found.get(path) not in allowed:
                sys.exit(f"{name}: {path} is {found.get(path)}, not one of {allowed}")
        if not ended:
            self.must(command)
            found = self.read()
            require(found == wanted, f"{name}, completed", found, wanted)
        self.state = found

    def remove(self) -> None:
        single = [path for path in sorted(self.state) if not (self.tree / path).exists()]
        if not single:
            return self.put()
        path = random.choice(single)
        command = self.commands.remove(path)
        wanted = {name: content for name, content in self.state.items() if name != path}
        ended = self.kill("remove", command)
        found = self.read()
        if found != wanted and (ended or found != self.state):
            sys.exit(f"remove: {path} is {found.get(path)}, and {len(found)} files are left of {len(self.state)}")
        if found != wanted:
            self.must(command)
            require(self.read() == wanted, "remove, completed", self.read(), wanted)
        self.state = wanted

    def collect(self) -> None:
        self.age()
        before = self.orphans()
        ended = self.kill("collect", self.commands.collect())
        self.check_collected(before, ended)
        if not ended:
            self.must(self.commands.collect())
            self.check_collected(before, True)

    def check_collected(self, before: dict[str, float], is_complete: bool) -> None:
        found, left = self.read(), self.orphans()
        require(found == self.state, "collect", found, self.state)
        if taken := [key for key, age in before.items() if age < GRACE and key not in left]:
            sys.exit(f"collect: taken within the grace: {taken[:3]}")
        if is_complete and (kept := [key for key, age in left.items() if age > GRACE + 3600 and not self.is_held(key, left)]):
            sys.exit(f"collect: {len(kept)} objects of nothing are left, such as {kept[0]}")
        self.states["orphans collected"] += len(before.keys() - left.keys())

    def is_held(self, key: str, left: dict[str, float]) -> bool:
        """Whether an object may stay: as a manifest in the trash, or as a chunk of a manifest that stays."""
        folder, _, name = key.partition("/")
        if folder == "manifests":
            trash = self.store / ".tcfs-trash"
            return any(name in path.read_text() for path in trash.rglob("*") if path.is_file())
        manifests = [self.store / other for other in left if other.startswith("manifests/")]
        return any(name in path.read_text() for path in manifests)

    def together(self) -> None:
        """A push that needs again what a collection is about to take, and sometimes dies."""
        self.age(share=1)
        self.change(again=0.9)
        collecting = subprocess.Popen(self.commands.collect(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(random.random() * self.durations.get("collect", 0.1))
        self.one("push", self.commands.push(), self.pushed(), moment=random.choice([None, 3600]))
        _, said = collecting.communicate()
        if collecting.returncode != 0:
            sys.exit(f"collect, beside a push: status {collecting.returncode} {said}")
        found = self.read()
        require(found == self.state, "push and collect", found, self.state)
        self.states["together"] += 1

    def round(self, number: int) -> None:
        random.choice([self.put, self.put, self.push, self.push, self.remove, self.collect, self.together])()
        if number % VERIFIED == 0:
            self.must(self.commands.verify())
        self.states["temporary files seen"] += len(self.leftovers())

    def leftovers(self) -> list[pathlib.Path]:
        return [path for path in self.store.glob(f"{WORK}/*") if TEMPORARY in path.name]

    def end(self) -> None:
        """All of it once more; and what killed runs left is removed when it is a day old."""
        moment = time.time() - OLD
        for path in self.leftovers():
            os.utime(path, (moment, moment))
        self.change()
        self.one("push", self.commands.push(), self.pushed(), moment=3600)
        if left := self.leftovers():
            sys.exit(f"temporary files of two days ago are left: {left[:3]}")
        self.must(self.commands.verify())


def require(holds: bool, what: str, found: State, wanted: State) -> None:
    if not holds:
        paths = [path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path)]
        sys.exit(f"{what}: otherwise than wanted are {sorted(paths)[:5]}")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    soaking.seeded(4)
    for is_encrypted in (False, True):
        with soaking.workplace():
            world = World(programs, files, is_encrypted)
            for number in range(1, kills // 2 + 1):
                world.round(number)
                if number % 100 == 0 and number < kills // 2:
                    print(f"{number} of {kills // 2} kills", file=sys.stderr, flush=True)
            world.end()
            print(f"{kills // 2} kills, {'with' if is_encrypted else 'without'} encryption: {dict(world.states)}; "
                  f"{len(world.state)} files are as they should be", flush=True)


main()
