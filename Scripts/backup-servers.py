"""Proves `valise backup` on every server of repositories that is installed here, with restic over the same server.

Usage: backup-servers.py FOLDER_OF_THE_PROGRAMS [--server NAME]

Both programs write by turns over rclone, rest-server, moto, OpenStack Swift and SFTP, each started by Scripts/servers on the
loopback: snapshots, reading all of it, restoring, forgetting and pruning. Wrong credentials are refused, and called that. All
servers are busy at the same time.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import soaking
from peering import PASSWORD, Failure, World, make_small_account, newest, require, restics, same
from transcript.cheapkey import cheapen_keys

HERE = pathlib.Path(__file__).resolve().parent / "servers"
sys.path.insert(0, str(HERE))
import swift  # noqa: E402 - requests with a signature of its own

SERVERS = {
    "rclone": ["rclone"],
    "rest-server": ["rest-server", "--user", "someone", "--password", "of that server", "--tls"],
    "rest-server, append-only": ["rest-server", "--append-only"],
    "moto": ["moto"],
    "swift": ["swift"],
    "swift, TLS": ["swift", "--tls"],
    "sftp": [],
}


class Missing(Exception):
    pass


class ServedWorld(World):
    """A repository on a server."""

    appends_only = False
    # What both programs are told, and what both have to be refused with.
    told: dict[str, str]
    wrong: dict[str, str]
    served: dict[str, str]
    # Over plain HTTP restic signs uploads piece by piece, which Swift does not know.
    restic_writes = True

    def prefix(self) -> str:
        return self.repository.split(self.served["address"])[1]

    def cheapen(self, repository: str | None = None, *passwords: str) -> None:
        if "bucket" in self.served:
            with tempfile.TemporaryDirectory(dir=self.folder) as place:
                key, = (one["id"] for one in self.backup("key", "list")["keys"])
                file = pathlib.Path(place) / "keys" / key
                file.parent.mkdir()
                file.write_bytes(swift.ask(self.served, "GET", f"{self.prefix()}/keys/{key}"))
                cheapen_keys(pathlib.Path(place), PASSWORD)
                new, = file.parent.iterdir()
                swift.ask(self.served, "PUT", f"{self.prefix()}/keys/{new.name}", new.read_bytes())
                swift.ask(self.served, "DELETE", f"{self.prefix()}/keys/{key}")
        else:
            cheapen_keys(self.folder / "served/data/laptop", PASSWORD)

    def reads(self) -> None:
        """Both read all of it."""
        self.backup("verify", "--read-data")
        if self.restic_writes:
            self.intact()
        else:
            self.restic("check", "--read-data", "--no-lock")


def use(w: ServedWorld) -> None:
    options = [] if w.restic_writes else ["--no-lock"]
    w.environment |= w.told
    w.backup("list", status=10)
    w.initialize()
    w.backup("init", w.repository, status=1)
    if w.wrong:
        refused = w.backup("list", status=1, **w.wrong)
        same(refused["code"], "denied", "wrong credentials")
        require(w.restic("snapshots", *options, status=None, **w.wrong) == "", "restic is not refused")
    first = w.run("--host", "laptop")
    w.change(1)
    second = w.run("--host", "laptop")
    require(second["files"]["unchanged"] > 50, second)
    w.reads()
    listed = {one["id"] for one in w.restic_json("snapshots", *options)}
    same(listed, {first["id"], second["id"]}, "restic snapshots")
    w.restic("restore", second["id"], "--target", "plain", *options)
    same(w.files(w.folder / "plain/account"), w.files(w.account), "restic restored")
    w.restored(first["id"])
    w.restored(second["id"])
    if w.restic_writes:
        w.restic("backup", w.account, "--host", "laptop")
        third = w.newest()
        require(third not in w.states, "restic made no snapshot")
        w.reads()
        target = w.folder / "target"
        w.backup("restore", third, target, "--passphrase-file", w.key)
        same(w.state(target), w.state(), "a snapshot of restic restored")
        shutil.rmtree(target)
    if w.appends_only:
        before = set(w.snapshots())
        w.backup("forget", "--keep-last", "1", "--prune", "--yes", status=14)
        same(set(w.snapshots()), before, "snapshots of a server that removes nothing")
        w.run("--host", "laptop")
    else:
        w.backup("forget", "--keep-last", "1", "--prune", "--yes")
        same(len(w.backup("list")["snapshots"]), 1, "snapshots after forget")
    w.reads()
    last = w.run("--host", "laptop")["id"]
    w.restored(last)


def prepare(w: ServedWorld, name: str, served: dict[str, str]) -> None:
    address = served["address"]
    w.served, w.told, w.wrong = served, {}, {}
    if "bucket" in served:
        w.repository = f"s3:{address}/{served['bucket']}/laptop"
        w.told = {"AWS_ACCESS_KEY_ID": served["accessKey"], "AWS_SECRET_ACCESS_KEY": served["secretKey"],
                  "AWS_DEFAULT_REGION": served["region"]}
        if name.startswith("swift"):
            w.wrong = {"AWS_SECRET_ACCESS_KEY": "another"}
        w.restic_writes = name != "swift"
    elif address.startswith("http"):
        w.repository = f"rest:{address}/laptop"
        if "--user" in SERVERS[name]:
            user, password = SERVERS[name][2], SERVERS[name][4]
            w.told = {"RESTIC_REST_USERNAME": user, "RESTIC_REST_PASSWORD": password}
            w.wrong = {"RESTIC_REST_PASSWORD": "another"}
    else:
        w.repository = f"sftp:{address}:{w.folder}/served/data/laptop"
        w.told = {"PATH": f"{w.folder / 'served'}:{os.environ['PATH']}"}
    if "authorities" in served:
        w.told["RESTIC_CACERT"] = served["authorities"]
        w.options += ["--cacert", served["authorities"]]
    w.appends_only = "--append-only" in SERVERS[name]


def start(w: World, name: str) -> tuple[subprocess.Popen, dict[str, str]]:
    place = w.folder / "served"
    (place / "data").mkdir(parents=True)
    command = ["python3", HERE / "serve.py", SERVERS[name][0], place, *SERVERS[name][1:]] if SERVERS[name] \
        else [HERE / "sshd.sh", place]
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    said = process.stdout.readline().strip()
    if SERVERS[name]:
        served = json.loads(said or "{}")
        if "missing" in served:
            raise Missing(served["missing"])
        require("address" in served, "no server:", said)
        return process, served
    ssh = shutil.which("ssh")
    if said == "missing" or ssh is None:
        raise Missing("sshd")
    # Both run the ssh of the PATH: it is told of the server here.
    configuration = process.stdout.readline().strip()
    w.write("served/ssh", f'#!/bin/sh\nexec {ssh} -F {configuration} "$@"\n').chmod(0o700)
    return process, {"address": "valise-test"}


def prove(folder: pathlib.Path, programs: pathlib.Path, version: str, restic: str, account: pathlib.Path, name: str) -> str:
    world = ServedWorld(folder, programs, restic, account)
    process = None
    try:
        process, served = start(world, name)
        prepare(world, name, served)
        begun = time.monotonic()
        use(world)
    except Missing as missing:
        return f"skipped {name}: {missing} is not installed"
    except Exception as error:
        where = ", ".join(f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[1:])
        what = error if isinstance(error, Failure) else f"{type(error).__name__} {error}"
        raise Failure(f"{name} ({where}): {what}") from error
    finally:
        if process:
            process.stdin.close()
            process.wait(30)
    commands = world.commands
    return (f"{name}: {commands['valise']} commands of ours, {commands['restic']} of restic {version}, "
            f"{time.monotonic() - begun:.0f} s; every account came back")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this one")
    arguments = parser.parse_args()
    programs = arguments.programs.resolve()
    found = restics()
    if not found:
        print("no restic is installed: nothing was proved")
        return
    version = newest(found)
    with soaking.workplace() as place:
        folder = pathlib.Path(place)
        make_small_account(programs)
        failed = False
        with concurrent.futures.ThreadPoolExecutor(len(SERVERS)) as pool:
            tasks = [
                pool.submit(prove, folder / str(number), programs, version, found[version], folder / "account", name)
                for number, name in enumerate(arguments.server or SERVERS)]
            for task in tasks:
                try:
                    print(task.result(), flush=True)
                except Failure as failure:
                    print(f"error: {failure}", flush=True)
                    failed = True
    sys.exit(failed)


main()
