"""Two builds of Valise against each other: the same commands, in pairs, on the same files.

Usage: builds.py FOLDER_OF_THE_EARLIER_PROGRAMS FOLDER_OF_THE_LATER_PROGRAMS [ROUNDS [COMMAND…]]

Everything lies in memory (/dev/shm), so that no disk is measured. Each round runs every command of both builds, one right
after the other, the first of the two in turn; every run starts from the same files. The median of the ratios within the
pairs counts. A command is reported as slower where that median is more than 5 % above 1 and at least four fifths of the
pairs say so: neighbours on the machine alone do not do that.

With names of commands only these are measured.
"""

import dataclasses
import itertools
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from measuring import measure, private, remove
from transfer import Relay

LIMIT = 1.05
PASSPHRASE = ["--passphrase-file", "passphrase"]


@dataclasses.dataclass
class Measured:
    """A command of `valise`, or of another of the programs."""

    words: list[str]
    # Made anew for each run: (what, from which kept files).
    copies: tuple[tuple[str, str], ...] = ()
    # Gone after each run.
    results: tuple[str, ...] = ()
    # So many times in one measurement, where a single run takes milliseconds.
    times: int = 1
    statuses: tuple[int, ...] = (0, 3)


def commands() -> dict[str, Measured]:
    account = (("account", "template"),)
    unencrypted = (("account", "unencrypted"),)
    archive = (("archive.zip", "kept.zip"),)
    return {
        "start": Measured(["--version"], times=50),
        "account status": Measured(["account", "status", "small", *PASSPHRASE], times=5),
        "account check": Measured(["account", "check", "template", *PASSPHRASE]),
        "account check --quick": Measured(["account", "check", "template", "--quick", *PASSPHRASE]),
        "account compact": Measured(["account", "compact", "account", *PASSPHRASE], account, ("account",)),
        "account salvage": Measured(
            ["account", "salvage", "template", "saved", *PASSPHRASE], results=("saved",)),
        "key verify": Measured(["key", "verify", "small", *PASSPHRASE], times=5),
        "key change": Measured(
            ["key", "change", "account", *PASSPHRASE, "--new-passphrase-file", "new"], account, ("account",)),
        "archive export": Measured(["archive", "export", "template", "out.zip"], results=("out.zip",)),
        "archive export, stored": Measured(
            ["archive", "export", "template", "out.zip", "--no-compression"], results=("out.zip",)),
        "archive import": Measured(["archive", "import", "kept.zip", "imported"], results=("imported",)),
        "archive verify": Measured(["archive", "verify", "kept.zip", *PASSPHRASE]),
        "archive list": Measured(["archive", "list", "kept.zip"], times=5),
        "archive diff": Measured(["archive", "diff", "kept.zip", "template"]),
        "archive extract": Measured(
            ["archive", "extract", "kept.zip", "--directory", "taken"], results=("taken",)),
        "archive salvage": Measured(["archive", "salvage", "kept.zip", "mended.zip"], results=("mended.zip",)),
        "media audit": Measured(["media", "audit", "template", *PASSPHRASE]),
        "media encrypt": Measured(["media", "encrypt", "account", *PASSPHRASE], unencrypted, ("account",)),
        "media decrypt": Measured(["media", "decrypt", "account", *PASSPHRASE], account, ("account",)),
        "media export": Measured(
            ["media", "export", "template", "exported", *PASSPHRASE], results=("exported",)),
        "file encrypt": Measured(
            ["file", "encrypt", "source", "sealed", "--key-output", "sealed.key"],
            results=("sealed", "sealed.key")),
        "file decrypt": Measured(
            ["file", "decrypt", "kept.sealed", "opened", "--key-file", "kept.key"], results=("opened",)),
        "file verify": Measured(["file", "verify", "kept.sealed", "--key-file", "kept.key"]),
        "file send": Measured(
            ["file", "send", "sent", "--server", "RELAY"], results=("sent.xftp",)),
        "file receive": Measured(
            ["file", "receive", "RECIPIENT", "--output", "received", "--approve-relays"],
            results=("received",)),
    }


def prepare(programs: pathlib.Path, folder: pathlib.Path, relay: str, rounds: int) -> None:
    """What the commands work on, made by one of the builds."""

    def run(program: str, *words: str) -> None:
        subprocess.run([programs / program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    for name in ("passphrase", "new"):
        private(folder / name, f"the {name} of a sample that somebody knows")
    run("valise-sample", "template", *PASSPHRASE, "--messages", "100000", "--media-bytes", "200000000",
        "--media-encryption", "encrypted")
    run("valise-sample", "unencrypted", *PASSPHRASE, "--messages", "1000", "--media-bytes", "200000000",
        "--media-encryption", "plain")
    run("valise-sample", "small", *PASSPHRASE, "--messages", "10", "--media-bytes", "1000")
    run("valise", "archive", "export", "template", "kept.zip", "--quiet")
    with open(folder / "source", "wb") as file:
        for _ in range(200):
            file.write(os.urandom(1 << 20))
    run("valise", "file", "encrypt", "source", "kept.sealed", "--key-output", "kept.key")
    run("valise", "file", "send", "source", "--server", relay, "--recipients", str(2 * rounds + 2),
        "--quiet")
    os.link(folder / "source", folder / "sent")


recipients = itertools.count(1)


def once(command: Measured, programs: pathlib.Path, folder: pathlib.Path, relay: str) -> float:
    """Seconds of one run, from the same files as every other run."""
    for target, kept in command.copies:
        shutil.copytree(folder / kept, folder / target)
    # Whoever has a file acknowledges it, so that nobody gets it again under this name.
    words = [
        relay if word == "RELAY" else f"source.xftp/rcv{next(recipients)}.xftp" if word == "RECIPIENT" else word
        for word in command.words
    ]
    seconds = sum(
        measure([str(programs / "valise"), *words], folder, command.statuses, subprocess.DEVNULL)[0]
        for _ in range(command.times))
    if "sent.xftp" in command.results:
        subprocess.run(
            [programs / "valise", "file", "delete", "sent.xftp/snd.xftp.private", "--quiet"], cwd=folder, check=True,
            stdout=subprocess.DEVNULL)
    for result in command.results:
        remove(folder / result)
    return seconds


def main() -> None:
    builds = [pathlib.Path(argument).resolve() for argument in sys.argv[1:3]]
    if len(builds) != 2:
        sys.exit(__doc__)
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    wanted = sys.argv[4:]
    measured = {name: value for name, value in commands().items() if not wanted or name in wanted}
    slower = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        os.environ["HOME"] = name
        for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ.pop(variable, None)
        (folder / "earlier").mkdir()
        relay = Relay(builds[0], folder / "earlier")
        try:
            prepare(builds[0], folder, relay.address, rounds)
            for label, command in measured.items():
                # Once unmeasured: files and programs are in memory then.
                for programs in builds:
                    once(command, programs, folder, relay.address)
                pairs = []
                for number in range(rounds):
                    order = [0, 1] if number % 2 == 0 else [1, 0]
                    seconds = {build: once(command, builds[build], folder, relay.address) for build in order}
                    pairs.append((seconds[0], seconds[1]))
                ratios = [later / earlier for earlier, later in pairs]
                middle = statistics.median(ratios)
                is_slower = middle > LIMIT and sum(ratio > 1 for ratio in ratios) * 5 >= rounds * 4
                if is_slower:
                    slower.append(label)
                print(
                    f"{label:24} {statistics.median(pair[0] for pair in pairs) / command.times:8.3f} s"
                    f" {statistics.median(pair[1] for pair in pairs) / command.times:8.3f} s   x {middle:5.3f}"
                    f"{'  slower' if is_slower else ''}  (pairs: {' '.join(f'{ratio:.2f}' for ratio in ratios)})",
                    flush=True)
        finally:
            relay.stop()
    if slower:
        sys.exit("slower by more than 5 %: " + ", ".join(slower))


main()
