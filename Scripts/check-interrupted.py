"""Lets a program complete or roll back what another one left when it was killed.

Usage: check-interrupted.py VALISE FOLDER [--every-way] [--some] [KIND...]

FOLDER has the archives that make-interrupted.py made. Each phase is restored; then comes what a user would do, in turns:
`valise account recover`, `valise jobs run`, or the same command once more (with --every-way all three of them). After the first two the old state or the new one
is there, whole, unless an operation works piece by piece; after the same command it is the new one, with nothing left over:
no temporary file, no journal, no job.

--some: of more than four phases of a kind some four, evenly spread, others in each run; a seed says which, which is printed, and which
VALISE_SEED repeats.
"""

import os
import pathlib
import random
import sys
import time

from interrupted import kinds
from interrupted.fixture import Fixture
from interrupted.place import Fault, Place, new_host, new_root
from interrupted.rewriting import Rewriting
from interrupted.state import state


class Checker:
    def __init__(self, programs: pathlib.Path, kind: kinds.Kind, fixture: Fixture) -> None:
        self.kind, self.fixture = kind, fixture
        self.place = Place(programs, new_root(), new_host())
        self.before, self.after = self.restored("before"), self.restored("after")

    def restore(self, name: str) -> None:
        place, phase = self.place, self.fixture.phases[name]
        files = self.fixture.restore(name, place.root)
        # The relay keeps its address: descriptions that lie on it encrypted have it.
        root, place.host = phase.root.split(" ")
        Rewriting({root: str(place.root)}, files, phase.made, int(time.time())).apply(place.root)
        self.fixture.settle(name, place.root)

    def restored(self, name: str) -> dict[str, str]:
        self.restore(name)
        return self.state()

    def state(self) -> dict[str, str]:
        found = state(self.place.root, self.kind.encrypts)
        return {
            name: value for name, value in found.items()
            # An empty folder for what is prepared is no state: the next change of the account, or transfer, removes it.
            if name not in self.kind.stays and not (
                value == "folder" and "/.valise-" in f"/{name}" and not any(other.startswith(f"{name}/") for other in found))}

    def check(self, name: str, way: str) -> str:
        """How it ended."""
        place, kind = self.place, self.kind
        self.restore(name)
        if kind.usesRelay:
            place.start_relay()
        try:
            ended = "by the same command"
            if way == "recover":
                place.run(kind.recovery, kind.home, allowed=(0, 10))
            elif way == "jobs":
                # What is no job, or ended before it was written, only the same command goes on with.
                way = "jobs" if place.jobs(kind.home) else "again"
                place.run("jobs run --quiet", kind.home, allowed=(0, 1, 3))
            if way != "again" and kind.isAtomic:
                ended = self.side()
            if ended != "completed":
                given = (place.root / kind.given).read_text() if kind.given else None
                run = place.run(kinds.words(kind, place), kind.home, given=given, allowed=None)
                if run.status not in kind.statuses:
                    # What is complete is not done twice, and then not cleaned up by it.
                    if kind.recovery:
                        place.run(kind.recovery, kind.home)
                    if self.state() != self.after and not (kind.usesRelay and way == "jobs"):
                        self.compare(self.state(), self.after, f"the same command: {run}")
            if kind.isAtomic or not kind.usesRelay:
                self.compare(self.state(), self.after, "after the same command")
            kind.check(place)
            # What was completed by another command than its own is noticed by the next run of jobs.
            place.run("jobs run --quiet", kind.home, allowed=(0, 1, 3))
            if jobs := place.jobs(kind.home):
                raise Fault(f"jobs are left: {jobs}")
            return ended
        finally:
            place.stop_relay()

    def side(self) -> str:
        found = self.state()
        if found == self.after:
            return "completed"
        # Where nothing was, only the same command cleans up.
        if not any("db" in name for name in self.before):
            found = {name: value for name, value in found.items() if not self.is_leftover(name)}
            if found == self.after:
                return "completed"
            if not any(name.endswith(".db") for name in found):
                return "rolled back"
        self.compare(found, self.before, "neither the old state nor the new one")
        return "rolled back"

    @staticmethod
    def is_leftover(name: str) -> bool:
        return "/.valise-" in name

    def compare(self, found: dict[str, str], expected: dict[str, str], what: str) -> None:
        if found != expected:
            differing = {
                name: (found.get(name), expected.get(name)) for name in sorted({*found, *expected})
                if found.get(name) != expected.get(name)}
            raise Fault(f"{what}: {dict(list(differing.items())[:6])}")


def ways(kind: kinds.Kind) -> list[str]:
    return [*(["recover"] if kind.recovery else []), "jobs", "again"]


# So many phases of a kind with --some.
SOME = 4


def main() -> None:
    programs, folder = pathlib.Path(sys.argv[1]).resolve().parent, pathlib.Path(sys.argv[2])
    everyWay, some = "--every-way" in sys.argv, "--some" in sys.argv
    wanted = [name for name in sys.argv[3:] if not name.startswith("--")] or [kind.name for kind in kinds.KINDS]
    seed = int(os.environ.get("VALISE_SEED", random.getrandbits(32))) if some else 0
    faults = count = 0
    for kind in kinds.KINDS:
        if kind.name not in wanted:
            continue
        checker = Checker(programs, kind, Fixture(folder / f"{kind.name}.tar.xz"))
        ended: dict[str, int] = {}
        try:
            phases = [name for name in checker.fixture.phases if name not in ("before", "after")]
            step = max(1, -(-len(phases) // SOME)) if some else 1
            for index, name in enumerate(phases):
                if (index + seed) % step:
                    continue
                turns = ways(kind)
                for way in turns if everyWay else [turns[(index // step + seed) % len(turns)] if some else turns[index % len(turns)]]:
                    count += 1
                    try:
                        end = checker.check(name, way)
                        ended[end] = ended.get(end, 0) + 1
                    except Fault as fault:
                        faults += 1
                        print(f"{kind.name}, phase {name}, {way}: {fault}", file=sys.stderr, flush=True)
        finally:
            checker.place.remove()
        print(f"{kind.name}: " + ", ".join(f"{number} {end}" for end, number in sorted(ended.items())), flush=True)
    print(f"{count} interrupted operations, {faults} not as they should be" + (f"; VALISE_SEED={seed}" if some else ""))
    sys.exit(1 if faults or not count else 0)


if __name__ == "__main__":
    main()
