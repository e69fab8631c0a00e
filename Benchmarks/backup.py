"""Backups against restic, and borg where it is there: time, bytes and memory, as ratios of runs that follow each other.

Usage: backup.py FOLDER_OF_THE_PROGRAMS [MESSAGES MEDIA_BYTES ROUNDS GROWING_MESSAGES]

An account of about 1 GiB is backed up into a new repository and restored. A second account has a database of about 168 MB: it
gets 1,000 new messages, then a new key, then it is vacuumed, and each time both programs make a snapshot of it. restic sees what
its users have, the encrypted files.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from measuring import Runs, cache, flushed, measure, present, private, remove, report, size

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
import backing  # noqa: E402
import growing  # noqa: E402

PEERS = ["restic", "borg"]
PASSPHRASE = "bench"
NEW_MESSAGES = 1_000


class World:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path) -> None:
        self.programs = programs
        self.folder = folder
        self.valise = str(programs / "valise")
        private(folder / "passphrase", PASSPHRASE)
        backing.use(
            folder, BORG_PASSPHRASE="a password", BORG_BASE_DIR=str(folder / "borg-state"),
            BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="yes", BORG_RELOCATED_REPO_ACCESS_IS_OK="yes")

    def sample(self, name: str, messages: int, media: int) -> None:
        subprocess.run(
            [self.programs / "valise-sample", name, "--passphrase-file", "passphrase", "--messages", str(messages),
             "--media-bytes", str(media)], cwd=self.folder, check=True)

    def ours(self, *arguments: str) -> list[str]:
        return [self.valise, "backup", *arguments]

    def run(self, account: str, repository: str) -> list[str]:
        return self.ours("run", account, "--repo", repository, "--passphrase-file", "passphrase", "--quiet")

    def restore(self, repository: str, target: str) -> list[str]:
        return self.ours(
            "restore", "latest", target, "--repo", repository, "--new-passphrase-file", "passphrase", "--allow-weak",
            "--quiet")

    def make(self, repository: str) -> None:
        subprocess.run(
            self.ours("init", repository, "--quiet"), cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def make_all(self, suffix: str) -> None:
        """A new repository of each program."""
        self.make(f"ours{suffix}")
        if shutil.which("restic"):
            subprocess.run(["restic", "-q", "-r", f"restic{suffix}", "init"], cwd=self.folder, check=True)
        if shutil.which("borg"):
            subprocess.run(
                ["borg", "init", "-e", "repokey-blake2", f"borg{suffix}"], cwd=self.folder, check=True,
                stderr=subprocess.DEVNULL)


def whole(world: World, rounds: int) -> None:
    """The first backup of everything, and its restore: each a command, what it reads and what it makes."""
    commands = {
        "first backup": (flushed(" ".join(world.run("account", "ours")), "ours"), "account", ["ours"]),
        "restic backup": (flushed("restic -q -r restic backup account", "restic"), "account", ["restic"]),
        "borg create": (flushed("borg create -C zstd,3 borg::a account", "borg"), "account", ["borg"]),
        "restore": (flushed(" ".join(world.restore("kept-ours", "r1")), "r1"), "kept-ours", ["r1"]),
        "restic restore": (flushed("restic -q -r kept-restic restore latest --target r2", "r2"), "kept-restic", ["r2"]),
        "borg extract": (flushed("mkdir r3 && cd r3 && borg extract ../kept-borg::a && cd ..", "r3"), "kept-borg", ["r3"]),
        "verify": ([*world.ours("verify", "--read-data", "--repo", "kept-ours", "--quiet")], "kept-ours", []),
        "restic check": (["sh", "-ec", "restic -q -r kept-restic check --read-data"], "kept-restic", []),
    }
    commands = present(commands, PEERS)
    world.make_all("")
    for repository, name in [("ours", "first backup"), ("restic", "restic backup"), ("borg", "borg create")]:
        if name in commands:
            measure(commands[name][0], world.folder)
            (world.folder / repository).rename(world.folder / f"kept-{repository}")
    remove(world.folder / "cache")
    (world.folder / "cache").mkdir()
    runs: Runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, source, results) in commands.items():
            if name == "first backup":
                world.make_all("")
            cache(world.folder / source)
            runs[name].append(measure(command, world.folder))
            for result in results:
                remove(world.folder / result)
    for name, peer in [
        ("first backup", "restic backup"), ("first backup", "borg create"), ("restore", "restic restore"),
        ("restore", "borg extract"), ("verify", "restic check"),
    ]:
        report(name, peer, runs)
    for kept in ["ours", "restic", "borg"]:
        if (world.folder / f"kept-{kept}").exists():
            print(f"repository of {kept}: {size(world.folder / f'kept-{kept}') / 1e6:,.1f} MB")
    for name in ["kept-ours", "kept-restic", "kept-borg"]:
        remove(world.folder / name)


def increments(world: World) -> None:
    """What one more snapshot stores after little has changed."""
    account = world.folder / "growing"
    programs = {"ours": world.run("growing", "ours2")}
    if shutil.which("restic"):
        programs["restic"] = ["restic", "-q", "-r", "restic2", "backup", "growing"]
    if shutil.which("borg"):
        programs["borg"] = ["sh", "-ec", "borg create -C zstd,3 borg2::$(date +%s%N) growing"]
    world.make_all("2")
    old = world.folder / "old"
    old.mkdir()

    def change_key() -> None:
        private(world.folder / "next", "another one")
        subprocess.run(
            [world.valise, "key", "change", "growing", "--passphrase-file", "passphrase", "--new-passphrase-file", "next",
             "--allow-weak", "--quiet"], cwd=world.folder, check=True)
        (world.folder / "next").rename(world.folder / "passphrase")

    def passphrase() -> str:
        return (world.folder / "passphrase").read_text()

    steps = {
        "first": lambda: None,
        f"{NEW_MESSAGES} messages": lambda: growing.grow(account, passphrase(), NEW_MESSAGES, days=10),
        "100 messages": lambda: growing.grow(account, passphrase(), 100),
        "new key": change_key,
        "vacuum": lambda: growing.vacuum(account, passphrase()),
    }
    before = {name: size(world.folder / f"{name}2") for name in programs}
    print(f"database of {(account / growing.CHAT).stat().st_size / 1e6:,.1f} MB")
    for step, change in steps.items():
        change()
        line = []
        stored = {}
        for name, command in programs.items():
            cache(account)
            seconds, memory = measure(command, world.folder)
            now = size(world.folder / f"{name}2")
            stored[name] = now - before[name]
            before[name] = now
            line.append(f"{name} {stored[name] / 1e6:9.2f} MB {seconds:6.2f} s {memory // 1024:4} MiB")
        ratios = [f"{name}/ours {stored[name] / max(stored['ours'], 1):.1f}" for name in stored if name != "ours"]
        print(f"{step:16} " + "   ".join(line + ratios), flush=True)
    if "restic" in programs:
        subprocess.run(["restic", "-q", "-r", "ours2", "check", "--read-data"], cwd=world.folder, check=True)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages, media, rounds, grown = [int(a) for a in sys.argv[2:]] or [300_000, 750_000_000, 3, 160_000]
    with tempfile.TemporaryDirectory() as name:
        world = World(programs, pathlib.Path(name))
        world.sample("account", messages, media)
        whole(world, rounds)
        remove(world.folder / "account")
        world.sample("growing", grown, 1_000)
        increments(world)


main()
