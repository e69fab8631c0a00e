"""Runs every example of the manual pages.

Usage: examples.py FOLDER_OF_THE_PROGRAMS [--only TEXT]

The examples of commands are in Documentation/examples, the recipes in Documentation/manual. Each page, and each recipe, has a
folder of its own with an account; a relay runs beside. What ends with another status than the example says is a failure. So is
a status in the transcripts that the page of its command does not list.
"""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from manual import examples
from transcript.relay import Relay
from transcript.template import Template
from transcript.world import World, work_folder

TOO_LONG = 120
# The address that is shown.
RELAY = "xftp://nhFtGXWPG_Q-vnvddffM0bsTy0nyFy02dOyZsE_9Mj0=@relay.example.org"
MAN = examples.ROOT / "man"
TRANSCRIPTS = examples.ROOT / "Tests/5-Commands/Commands/Fixtures/transcripts"


class Place:
    """The folder of one page or recipe."""

    def __init__(self, programs: pathlib.Path, root: pathlib.Path, template: Template, address: str) -> None:
        self.root, self.address = root, address
        (root / "home").mkdir(0o700, parents=True)
        for source, name in (("account", "laptop"), ("account.zip", "backup.zip")):
            subprocess.run(["cp", "-a", template.root / source, root / name], check=True)
        shutil.copy(root / "laptop/simplex_v1_files/photo_0001.jpg", root / "photo.jpg")
        self.private("passphrase", template.KEY)
        self.private("new-passphrase", template.OTHER_KEY)
        self.environment = {
            "PATH": f"{programs}:{os.environ.get('PATH', '/usr/bin:/bin')}", "LANG": "C.UTF-8", "TZ": "UTC",
            "HOME": str(root / "home"), "SERVERS": str(pathlib.Path(__file__).resolve().parent / "servers"),
        }
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        self.begun: list[subprocess.Popen] = []

    def private(self, name: str, text: str) -> None:
        path = self.root / name
        path.write_text(text)
        path.chmod(0o600)

    def line(self, example: examples.Example, step: examples.Step) -> str:
        """What is run of a step, with the address of the relay that there is."""
        return example.runnable(step.text).replace(RELAY, self.address)

    def run(self, line: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["sh", "-c", line], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=TOO_LONG, start_new_session=True)

    def begin(self, line: str) -> None:
        """Starts a service, and waits for its first line: it tells it when it is ready."""
        with open(self.root / "background", "wb") as output, open(self.root / "background.log", "wb") as log:
            self.begun.append(subprocess.Popen(
                ["sh", "-c", f"exec {line}"], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=log))
        end = time.monotonic() + 30
        while not (self.root / "background").stat().st_size and time.monotonic() < end:
            time.sleep(0.05)

    def end(self) -> list[int]:
        for process in self.begun:
            process.terminate()
        return [process.wait(TOO_LONG) for process in self.begun]


def run(place: Place, example: examples.Example) -> list[str]:
    """What failed."""
    found = []
    for step in example.steps:
        if step.kind == "text":
            continue
        line = place.line(example, step)
        if step.kind in ("$&", "%&"):
            place.begin(line)
            continue
        result = place.run(line)
        if result.returncode != step.status:
            text = result.stdout.decode("utf-8", "replace")
            found.append(
                f"{step.place}: [{example.name}] {step.text}\n  status {result.returncode}, not {step.status}\n"
                + "".join(f"  | {part}\n" for part in text.splitlines()[-20:]))
    # What is stopped before it has ended by itself was interrupted.
    found += [f"{example.name}: a service ended with {status}" for status in place.end() if status not in (0, 130)]
    return found


def unlisted() -> list[str]:
    """Statuses that commands ended with, and that their pages do not tell."""
    listed = {
        path.stem: set(re.findall(r"^\.It (\d+)$", path.read_text(), re.M)) for path in MAN.glob("*.1")}
    found = set()
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        for line, status in re.findall(r"^\$ (.+)\n= (\d+)$", path.read_text(), re.M):
            try:
                words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
            except ValueError:
                continue
            page = next(("-".join(words[:count]) for count in (3, 2, 1) if "-".join(words[:count]) in listed), None)
            if page and status not in listed[page]:
                found.add(f"man/{page}.1 does not list the status {status} of {path.name}: {line}")
    return sorted(found)


@contextlib.contextmanager
def stage(programs: pathlib.Path):
    """A folder, what accounts are copied from, and the address of a relay that runs."""
    work = work_folder()
    try:
        template = Template(programs, work / "template")
        world = World(programs, work / "relay", template)
        try:
            yield work, template, Relay(world).address
        finally:
            world.end()
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--only", default="", help="pages whose names contain this")
    arguments = parser.parse_args()
    programs = arguments.programs.resolve()
    wanted = [*examples.commands().values()]
    wanted += [
        examples.Example(f"{page}: {part.name}", part.steps, part.replaced)
        for page, parts in examples.pages().items() for part in parts]
    wanted = [
        example for example in wanted
        if arguments.only in example.name and any(step.kind != "text" for step in example.steps)]
    with stage(programs) as (work, template, address):
        places = [Place(programs, work / str(index), template, address) for index in range(len(wanted))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            found = [text for texts in pool.map(run, places, wanted) for text in texts]
    found += unlisted()
    count = sum(step.kind in ("$", "$&") for example in wanted for step in example.steps)
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    print(f"examples: {count} commands on {len(wanted)} pages and recipes, {len(found)} failures", file=sys.stderr)
    sys.exit(1 if found or not count else 0)


if __name__ == "__main__":
    main()
