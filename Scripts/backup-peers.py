"""Proves with every restic that is installed that it and `valise backup` work in the same repositories, in turns.

Usage: backup-peers.py FOLDER_OF_THE_PROGRAMS [--all] [--restic VERSION] [--act NAME]

The system's restic is one, those that get-restic.sh got are others. Each makes, reads, changes and repairs repositories of
ours, and we those that it made: of both versions, compressed or not. After each act both programs read all of the repository,
list the same snapshots, and what is restored is what was backed up. The acts go on side by side, in folders of their own.
"""

import argparse
import concurrent.futures
import filecmp
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import traceback

import growing
import soaking
from peering import (
    AGENT, CHAT, MEDIA, STRANGE_NAMES, Failure, World, make_small_account, newest, require, restics, same)


def make_ours(w: World) -> None:
    """Two snapshots with open databases, one with sealed ones."""
    w.begin()
    w.run("--host", "laptop", "--tag", "first", "--tag", "second")
    w.change(1)
    w.run("--host", "laptop")
    w.run("--host", "sealed", "--sealed")


def reads(w: World) -> None:
    """restic reads what we wrote."""
    make_ours(w)
    w.intact()
    snapshots = w.snapshots()
    first, second, sealed = sorted(snapshots, key=lambda one: snapshots[one]["time"])
    for snapshot in snapshots:
        shown = {file["name"]: file["size"] for file in w.backup("show", snapshot)["files"]}
        nodes = [node for node in w.restic_json("ls", snapshot) if node.get("type") == "file"]
        names = {node["path"].removeprefix("/account/"): node.get("size", 0) for node in nodes}
        names.pop(".valise/backup.json")
        same(shown, names, "restic ls")
        require(len(names) > 50, "few files:", names)
    counted = w.restic_json("stats", "--mode", "raw-data")
    same(w.backup("verify")["usedBlobs"], counted["total_blob_count"], "blobs")
    # Of a medium alone.
    said = subprocess.run(
        [w.restic_program, "-r", w.repository, "-q", "dump", second, f"/account/{MEDIA}/new-1"], check=True, env=w.environment,
        stdout=subprocess.PIPE).stdout
    require(said == (w.account / MEDIA / "new-1").read_bytes(), "restic dump gives other bytes")
    changed = set(re.findall(r"^[-+MUT?]+ +(/.*[^/\n])$", w.restic("diff", first, second), re.MULTILINE))
    same(changed, {f"/account/{name}" for name in (CHAT, f"{MEDIA}/new-1", ".valise/backup.json")}, "restic diff")
    # Open databases are ordinary ones.
    w.restic("restore", second, "--target", "plain")
    chat = sqlite3.connect(f"file:{w.folder}/plain/account/{CHAT}?mode=ro", uri=True)
    same(chat.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "integrity_check")
    same("|".join(map(str, chat.execute(growing.SUM).fetchone())), w.messages(w.account), "messages of the plain database")
    chat.close()
    same(w.files(w.folder / "plain/account"), w.files(w.account), "restic restored")
    # Sealed ones are the account's.
    w.restic("restore", sealed, "--target", "sealed")
    same(w.state(w.folder / "sealed/account"), w.states[sealed], "restic restored")
    for place in ("plain", "sealed"):
        check_account(w, w.folder / place / "account", encrypted=place == "sealed")
        shutil.rmtree(w.folder / place)
    for snapshot in snapshots:
        w.restored(snapshot)


def check_account(w: World, account: pathlib.Path, encrypted: bool) -> None:
    key = ["--passphrase-file", w.key] if encrypted else []
    # The sample has a missing medium.
    said = w.command("valise", [w.program, "account", "check", account, *key, "--json", "--no-input"], None)
    require(said.returncode in (0, 3), "account check:", said.returncode, said.stdout, said.stderr)
    require(f'"form":"{"encrypted" if encrypted else "plain"}"' in said.stdout, said.stdout)


def changes(w: World) -> None:
    """restic changes what we wrote, and we go on."""
    make_ours(w)
    if w.option("rewrite"):
        w.restic("rewrite", "--exclude", f"{MEDIA}/new-1", "--forget")
        w.intact()
        w.snapshots()
        require(f"{MEDIA}/new-1" not in {file["name"] for file in w.backup("show", w.newest())["files"]}, "not rewritten")
        target = w.folder / "rewritten"
        w.backup("restore", w.newest(), target, "--new-passphrase-file", w.key)
        state = w.state()
        del state[f"{MEDIA}/new-1"]
        same(w.state(target), state, "a rewritten snapshot")
        shutil.rmtree(target)
    if w.option("rewrite metadata"):
        moved = w.newest()
        w.restic("rewrite", "--new-host", "moved", "--new-time", "2031-02-03 04:05:06", "--forget", moved)
        listed = w.snapshots()
        require(moved not in listed and w.newest() in listed, "not rewritten")
        same((listed[w.newest()]["hostname"], listed[w.newest()]["time"]), ("moved", "2031-02-03T04:05:06Z"), "rewritten")
        w.restic("forget", w.newest())
    before = w.newest()
    w.restic("tag", "--add", "kept")
    w.states = {}
    require(all("kept" in one["tags"] for one in w.snapshots().values()), "tags")
    require(before not in w.snapshots(), "restic tag changed nothing")
    w.change(2)
    # The tagged one is its parent.
    stored = w.run("--host", "laptop")
    require(stored["files"]["unchanged"] > 50, "all was stored again:", stored)
    w.intact()
    for command in w.repair_index():
        w.restic(*command)
        w.intact()
    # A tree that nobody knows any more is found again by restic; of several ones that of 0.19.1 may put them in a wrong order.
    w.backup("prune", "--yes", "--max-unused", "0")
    w.intact()
    w.change(3)
    lost = w.run("--host", "laptop")["id"]
    w.backup("forget", lost, "--yes")
    require(lost not in w.snapshots(), "forgotten by us, and still there")
    w.restic("recover")
    recovered, = (one for one in w.snapshots().values() if "recovered" in one["tags"])
    require(f"/{CHAT}\n" in w.restic("ls", recovered["id"]), "recovered something else")
    w.states[recovered["id"]] = w.states[lost]
    w.restored(recovered["id"])
    w.intact()
    w.restic("forget", "--keep-last", "1", "--prune", "--max-unused", "0")
    w.intact()
    w.change(4)
    last = w.run("--host", "laptop", "--tag", "last")["id"]
    w.backup("forget", "--keep-tag", "last", "--prune", "--yes", "--allow-empty")
    w.intact()
    same(set(w.snapshots()) & set(w.states), {last}, "kept")
    w.restored(last)


def repairs(w: World) -> None:
    """A pack is lost, others are damaged. One program repairs, and the next run stores again what the account still has."""
    make_ours(w)
    if w.option("repair"):
        max(w.packs(), key=size).unlink()
        same(w.backup("verify", status=13)["isIntact"], False, "verify")
        w.restic("repair", "index")
        w.restic("repair", "snapshots", "--forget")
        w.snapshots()
        w.run("--host", "laptop")
        w.intact()
        w.restored(w.newest())
    if w.option("repair packs"):
        pack = max(w.packs(), key=size)
        flip(pack)
        same(w.backup("verify", "--read-data", status=13)["isIntact"], False, "verify --read-data")
        # What it saved stays in the working folder, too.
        w.restic("repair", "packs", pack.name)
        w.restic("repair", "snapshots", "--forget")
        w.run("--host", "laptop")
        w.intact()
        w.restored(w.newest())
    # What restic wrote is repaired by us.
    before = w.packs()
    w.restic("backup", w.account, "--host", "restic", "--force")
    damaged = w.newest()
    pack = max(w.packs() - before, key=size)
    flip(pack)
    require(w.command("restic", [w.restic_program, "-r", w.repository, "check", "--read-data"], None).returncode != 0,
            "restic finds no damage")
    same(w.backup("repair", "packs")["packs"]["lost"], 1, "lost pieces")
    w.run("--host", "laptop")
    w.backup("repair", "snapshots")
    require(any("repaired" in one["tags"] for one in w.snapshots().values()), "no snapshot was written anew")
    # The one that is not whole stays until it is forgotten.
    w.backup("forget", damaged, "--yes")
    w.restic("check")
    # The damaged pack is in no index any more, and restic removes it.
    w.restic("prune", "--max-unused", "0")
    require(not pack.exists(), "the damaged pack is still there")
    w.intact()
    w.restored(w.newest_of("laptop"))


def size(pack: pathlib.Path) -> int:
    return pack.stat().st_size


def flip(pack: pathlib.Path) -> None:
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    pack.chmod(0o600)
    pack.write_bytes(content)


def locks(w: World) -> None:
    """Both respect each other's locks."""
    w.begin()
    w.run()
    with w.waiting_restic() as slow:
        w.backup("prune", "--yes", status=11)
        w.run()
        slow.stdin.write(b"from a pipe")
        slow.stdin.close()
        same(slow.wait(), 0, "restic backup")
    w.backup("prune", "--yes")
    same(len(w.snapshots()), 3, "snapshots")
    piped, = (one["id"] for one in w.snapshots().values() if one["paths"] == ["/stdin"])
    same(w.restic("dump", piped, "/stdin"), "from a pipe", "restic dump")
    # The lock of a program that is gone, which restic removes only when it is told to.
    with w.waiting_restic() as slow:
        slow.kill()
    require(w.locks(), "a killed restic leaves no lock")
    w.backup("prune", "--yes")
    same(w.locks(), [], "locks")
    w.intact()


def copies(w: World) -> None:
    """From ours to one of restic's, from that to another one of ours."""
    make_ours(w)
    theirs, third = str(w.folder / "theirs"), str(w.folder / "third")
    copying = {"RESTIC_FROM_PASSWORD_FILE": w.environment["RESTIC_PASSWORD_FILE"]}
    # Of version 1, which has no compression.
    w.restic("init", "--from-repo", w.repository, "--copy-chunker-params", "--repository-version", "1", repository=theirs,
             **copying)
    w.cheapen(theirs)
    w.initialize(third)
    w.restic("copy", "--from-repo", w.repository, repository=theirs, **copying)
    w.restic("copy", "--from-repo", theirs, repository=third, **copying)
    for place in (theirs, third):
        w.intact(place)
        copied = w.snapshots(place)
        # In the order of their times, they are the same accounts.
        for name, original in zip(copied, w.snapshots()):
            w.states[name] = w.states[original]
            w.restored(name, place)
        same(len(copied), 3, "copied snapshots")
        # What it has is not stored again.
        stored = w.run("--host", "laptop", repository=place)
        require(stored["files"]["unchanged"] > 50 and stored["newBlobs"] < 10, stored)
        w.intact(place)
        w.backup("forget", "--keep-last", "1", "--prune", "--yes", repository=place)
        # Of each host.
        same(len(w.snapshots(place)), 2, "snapshots that are kept")
        w.intact(place)


def keys(w: World) -> None:
    """Passwords that one adds open the repository for the other."""
    w.begin()
    run = w.run()
    texts = ("one more horse, one more battery", "a third horse with a battery")
    second, third = w.write("second", texts[0]), w.write("third", texts[1])
    w.restic("key", "add", "--new-password-file", second)
    w.cheapen(None, texts[0])
    same(len(w.backup("key", "list", RESTIC_PASSWORD_FILE=str(second))["keys"]), 2, "keys")
    same(len(w.restic_json("key", "list")), 2, "keys")
    # Either changes it.
    w.restic("key", "passwd", "--new-password-file", third, "-p", second)
    w.cheapen(None, texts[1])
    w.backup("list", "--password-file", second, status=12)
    w.backup("list", "--password-file", third)
    w.backup("password", "change", "--password-file", third, "--new-password-file", second)
    w.cheapen(None, texts[0])
    w.restic("snapshots", "-p", second)
    require(w.restic("snapshots", "-p", third, status=None) == "", "restic opens it by the old password")
    # Either removes what the other one added.
    w.restic("key", "remove", w.current_key(second))
    w.backup("list", "--password-file", second, status=12)
    w.backup("key", "add", "--new-password-file", third)
    w.cheapen(None, texts[1])
    added = w.current_key(third)
    w.restic("snapshots", "-p", third)
    w.restic("key", "add", "--new-password-file", second)
    w.cheapen(None, texts[0])
    w.backup("key", "remove", w.current_key(second))
    w.restic("key", "remove", added)
    same(len(w.restic_json("key", "list")), 1, "keys")
    w.intact()
    w.restored(run["id"])


def theirs(w: World, name: str, version: int, *options: object) -> None:
    """A repository that restic makes; both work in it in turns."""
    w.repository, w.options = str(w.folder / name), list(map(str, options))
    w.begin(version)
    source = w.folder / "source"
    if not source.exists():
        make_source(source)
    w.restic("backup", source, "--host", "other")
    w.restic("backup", w.account, "--host", "laptop")
    of_restic = w.newest()
    w.states[of_restic] = w.state()
    w.restored_as_it_is(of_restic)
    # It knows their snapshot as the parent: only the databases are new.
    first = w.run("--host", "laptop")
    same(first["files"], {"changed": 2, "new": 0, "unchanged": first["files"]["unchanged"]}, "after restic's snapshot")
    w.change(len(w.states))
    second = w.run("--host", "laptop", "--tag", "second")
    w.restic("backup", w.account, "--host", "laptop")
    w.states[w.newest()] = w.state()
    w.intact()
    require(len(w.snapshots()) == 5, "snapshots")
    w.restored(first["id"])
    compared = w.backup("diff", first["id"], second["id"], "--exit-code", status=20)
    require("messages" in str(compared), compared)
    # Each removes what the other one does not need.
    w.backup("forget", first["id"], of_restic, "--prune", "--yes")
    require(not {first["id"], of_restic} & set(w.snapshots()), "forgotten by us, and still there")
    w.intact()
    w.restic("forget", second["id"], "--prune", "--max-unused", "0")
    same(len(w.snapshots()), 2, "snapshots")
    w.intact()
    w.backup("prune", "--yes", "--max-unused", "0")
    w.intact()
    w.restored_as_it_is(w.newest())
    w.restic("restore", "latest", "--host", "other", "--target", "back")
    compare_folders(source, w.folder / "back" / source.relative_to("/"))
    shutil.rmtree(w.folder / "back")
    # Of a folder that is no account, we say so.
    other, = (one["id"] for one in w.snapshots().values() if one["hostname"] == "other")
    w.backup("show", other, status=10)


def migrates(w: World) -> None:
    """From version 1 to 2, with what we wrote."""
    w.repository = str(w.folder / "old")
    w.begin(1)
    w.run("--host", "laptop")
    w.intact()
    w.restic("migrate", "upgrade_repo_v2")
    w.change(9)
    run = w.run("--host", "laptop")
    w.intact()
    w.restic("prune", "--repack-uncompressed")
    w.intact()
    for snapshot in w.snapshots():
        w.restored(snapshot)
    require(run["storedSize"] < run["addedSize"] * 0.8, "nothing is compressed:", run)


def make_source(folder: pathlib.Path) -> None:
    """What programs stumble over."""
    chance = random.Random(1)
    (folder / "in" / "depth").mkdir(parents=True)
    (folder / "large").write_bytes(chance.randbytes(3_000_000))
    (folder / "zeros").write_bytes(bytes(2_000_000))
    (folder / "in" / "depth" / "text").write_text("a text\n" * 1000)
    (folder / "hard").hardlink_to(folder / "large")
    (folder / "link").symlink_to("in/depth/text")
    for name in STRANGE_NAMES:
        (folder / name).write_text(name)
    (pathlib.Path(os.fsdecode(os.fsencode(folder) + b"/not UTF-8 \xff"))).write_bytes(b"bytes")
    (folder / "large").chmod(0o640)


def compare_folders(one: pathlib.Path, other: pathlib.Path) -> None:
    compared = filecmp.dircmp(one, other)
    require(not compared.left_only and not compared.right_only, compared.left_only, compared.right_only)
    _, differing, failed = filecmp.cmpfiles(one, other, compared.common_files, shallow=False)
    require(not differing and not failed, differing, failed)
    for name in compared.common_dirs:
        compare_folders(one / name, other / name)


class PeerWorld(World):
    """What depends on the version of restic."""

    said_version = ""

    def version(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.said_version.split("."))

    def begin(self, version: int | None = None) -> None:
        """A new repository of ours, or of this restic's; each kind is made once."""
        template = self.folder.parent / f"template-{version}"
        with TEMPLATES:
            if not template.exists():
                if version is None:
                    self.backup("init", template)
                else:
                    self.restic("init", "--repository-version", version, repository=str(template))
                self.cheapen(str(template))
        shutil.copytree(template, self.repository)

    def locks(self) -> list[str]:
        return [name for name in os.listdir(pathlib.Path(self.repository) / "locks") if len(name) == 64]

    def waiting_restic(self) -> subprocess.Popen:
        """One that waits for its input, with a lock."""
        command = [self.restic_program, "-r", self.repository, "-q", "backup", "--stdin"]
        process = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE)
        for _ in range(500):
            if self.locks():
                break
            time.sleep(0.02)
        return process

    def packs(self) -> set[pathlib.Path]:
        return set((pathlib.Path(self.repository) / "data").rglob("*/*"))

    def newest_of(self, host: str) -> str:
        return [one["id"] for one in self.backup("list", "--host", host)["snapshots"]][-1]

    def current_key(self, password: pathlib.Path) -> str:
        current, = (key["id"] for key in self.backup("key", "list", "--password-file", password)["keys"] if key["isCurrent"])
        return current

    def option(self, name: str) -> bool:
        """Whether this restic has it."""
        since = {"rewrite": (0, 15), "rewrite metadata": (0, 17), "repair": (0, 16), "repair packs": (0, 16)}
        return self.version() >= since[name]

    def repair_index(self) -> list[list[str]]:
        old = self.version() < (0, 16)
        commands = [["rebuild-index"], ["rebuild-index", "--read-all-packs"]]
        return commands if old else [["repair", "index"], ["repair", "index", "--read-all-packs"]]

    def restored_as_it_is(self, snapshot: str) -> None:
        """A snapshot of restic's has the databases as they were."""
        target = self.folder / "target"
        self.backup("restore", snapshot, target, "--passphrase-file", self.key)
        same(self.state(target), self.states[snapshot], f"{snapshot[:8]} restored")
        check_account(self, target, encrypted=True)
        shutil.rmtree(target)


# They wait for locks for most of the time.
WORKERS = 8
TURNS = {
    "version 1": (1,),
    "compression off": (2, "--compression", "off"),
    "compression auto": (2,),
    "compression max, small packs": (2, "--compression", "max", "--pack-size", "4"),
}


ACTS = (reads, changes, repairs, locks, copies, keys, migrates)
TEMPLATES = threading.Lock()


def prove(world: PeerWorld, name: str, act, arguments: tuple) -> None:
    begun = time.monotonic()
    try:
        act(world, *arguments)
    except Exception as error:
        where = ", ".join(f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[1:])
        what = error if isinstance(error, Failure) else f"{type(error).__name__} {error}"
        raise Failure(f"restic {world.said_version}, {name} ({where}): {what}") from error
    if os.environ.get("VALISE_PEERS_TIMES"):
        print(f"restic {world.said_version}, {name}: {time.monotonic() - begun:.1f} s, {world.commands}", flush=True)
    shutil.rmtree(world.folder)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--restic", action="append", help="only this version")
    parser.add_argument("--all", action="store_true", help="each kind of repository with each restic")
    parser.add_argument("--act", action="append", choices=[*(act.__name__ for act in ACTS), *TURNS], help="only this one")
    arguments = parser.parse_args()
    programs = arguments.programs.resolve()
    found = {version: place for version, place in restics().items() if version in (arguments.restic or [version])}
    if not found:
        print("no restic is installed: nothing was proved")
        return
    begun = time.monotonic()
    with soaking.workplace() as place, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        folder = pathlib.Path(place)
        make_small_account(programs)
        tasks: dict[str, list[concurrent.futures.Future]] = {}
        worlds: dict[str, list[PeerWorld]] = {}
        for number, (version, restic) in enumerate(found.items()):
            (folder / version).mkdir()
            names = list(TURNS) if arguments.all or len(found) == 1 else list(TURNS)[number % 2::2]
            # Keys are derived for seconds.
            some = [act for act in ACTS if arguments.all or act is not keys or version == newest(found)]
            acts = [(act.__name__, act, ()) for act in some] + [(name, theirs, (name, *TURNS[name])) for name in names]
            acts = [act for act in acts if act[0] in (arguments.act or [act[0]])]
            for index, (name, act, words) in enumerate(acts):
                world = PeerWorld(folder / version / str(index), programs, restic, folder / "account")
                world.said_version = version
                worlds.setdefault(version, []).append(world)
                tasks.setdefault(version, []).append(pool.submit(prove, world, name, act, words))
        failed = False
        for version, some in tasks.items():
            failures = [failure for task in some if (failure := task.exception())]
            for failure in failures:
                print(f"error: {failure}", flush=True)
            failed = failed or bool(failures)
            ours, theirs_ = (sum(world.commands[kind] for world in worlds[version]) for kind in ("valise", "restic"))
            print(f"restic {version}: {ours} commands of ours and {theirs_} of it in turns, "
                  f"{'FAILED' if failures else 'both read all, and every account came back'}", flush=True)
    print(f"in {time.monotonic() - begun:.0f} s")
    sys.exit(failed)


main()
