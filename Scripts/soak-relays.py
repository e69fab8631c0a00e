"""Uploads and downloads by many clients of a relay of several processes, while those are killed and what they stand on goes away.

Usage: soak-relays.py FOLDER_OF_THE_PROGRAMS [TRANSFERS CLIENTS SEED] [--processes N] [--every SECONDS] [--s3 objects|moto|swift]
                      [--store postgres+s3|postgres+folder] [--quota SIZE] [--gently]

Every process has a folder of its own behind HAProxy, their records are in PostgreSQL and their bodies in S3. One process is killed
every few seconds and started again, PostgreSQL is restarted once, and once the storage answers 503 for five seconds. Each chunk
that was acknowledged comes back as it was, until it is deleted; nobody else gets it; never is more kept than the quota. In the end
all is deleted, what lost answers have left expires, and neither the database nor the storage has anything left.

With --gently processes are restarted as an operator does it, one after the other, and nothing else goes wrong.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import threading
import time
import traceback

import relaying
import soaking
from relaying import Fault

SELF = pathlib.Path(__file__).resolve()


def clients(port: int, transfers: int, count: int, seed: int) -> None:
    """In a process of its own; prints what they did as JSON."""
    decrypts = relaying.use_sodium()
    made = [relaying.PatientClient(port, seed * 1000 + number, decrypts) for number in range(count)]
    relaying.run_together(made, transfers)
    sums = {name: sum(getattr(client, name) for client in made) for name in ("up", "down", "repeats", "cuts", "refusals")}
    print(json.dumps(sums | {"longest": max(client.longest for client in made), "decrypts": decrypts}))


class Mischief(threading.Thread):
    """Kills a process every few seconds; restarts the database after a third, cuts the storage after two thirds."""

    def __init__(self, fleet: relaying.Fleet, every: float, gently: bool, progress) -> None:
        super().__init__(daemon=True)
        self.fleet, self.every, self.gently, self.progress = fleet, every, gently, progress
        self.over = threading.Event()
        self.kills, self.restarts, self.cuts = 0, 0, 0
        self.fault = None

    def run(self) -> None:
        try:
            while not self.over.wait(self.every):
                if self.gently:
                    victim = self.fleet.processes[self.kills % len(self.fleet.processes)]
                    victim.stop()
                else:
                    victim = random.choice(self.fleet.processes)
                    victim.kill()
                victim.start()
                self.kills += 1
                if self.gently:
                    continue
                done = self.progress()
                if not self.restarts and done > 0.3 and self.fleet.postgres:
                    self.fleet.postgres.command("stop")
                    time.sleep(1)
                    self.fleet.postgres.command("start")
                    self.restarts += 1
                if not self.cuts and done > 0.6 and self.fleet.storage:
                    self.fleet.balancer.say("disable server storage/s3")
                    time.sleep(5)
                    self.fleet.balancer.say("enable server storage/s3")
                    self.cuts += 1
        except Exception:
            self.fault = traceback.format_exc()

    def stop(self) -> None:
        self.over.set()
        self.join()
        if self.fault:
            raise Fault(self.fault)


def soak(fleet: relaying.Fleet, arguments: argparse.Namespace, seed: int) -> None:
    workers = 2
    processes = [
        subprocess.Popen(
            [sys.executable, "-B", SELF, "--clients", str(fleet.port), str(arguments.transfers // workers),
             str(max(1, arguments.clients // workers)), str(seed + number)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for number in range(workers)]
    start = time.monotonic()
    most = [0, 0]
    uploaded = [0]
    mischief = Mischief(fleet, arguments.every, arguments.gently, lambda: uploaded[0] / arguments.transfers)
    mischief.start()
    try:
        while any(process.poll() is None for process in processes):
            time.sleep(0.5)
            watch(fleet, most, uploaded)
        mischief.stop()
        outcomes = [process.communicate() for process in processes]
    finally:
        mischief.over.set()
        for process in processes:
            process.kill()
            process.wait()
    seconds = time.monotonic() - start
    if any(process.returncode for process in processes):
        raise Fault("\n".join(errors for _, errors in outcomes))
    if not mischief.kills:
        raise Fault("all was over before a process was ended: it takes more transfers, or less time in between")
    sums = [json.loads(output) for output, _ in outcomes]
    total = {name: sum(one[name] for one in sums) for name in ("up", "down", "repeats", "cuts", "refusals")}
    verb = "restarted" if arguments.gently else "killed"
    print(
        f"relays: {arguments.transfers} uploads and as many downloads by {arguments.clients} clients over "
        f"{len(fleet.processes)} processes, {(total['up'] + total['down']) / 1e6:.0f} MB in {seconds:.0f} s\n"
        f"  {verb} {mischief.kills} times, database restarted {mischief.restarts} times, storage out of reach "
        f"{mischief.cuts} times\n"
        f"  repeated requests {total['repeats']}, of them without an answer {total['cuts']}, longest wait {max(one['longest'] for one in sums):.1f} s, refused for the "
        f"quota {total['refusals']}, most kept {most[0] / 1e6:.0f} MB, most memory of a process {most[1] // 1024} MiB"
        + ("" if all(one["decrypts"] for one in sums) else "\n  (libsodium is not here: only lengths were compared)"),
        flush=True)


def watch(fleet: relaying.Fleet, most: list, uploaded: list) -> None:
    for process in fleet.processes:
        try:
            status = process.status()
            most[1] = max(most[1], process.memory())
        except (subprocess.SubprocessError, OSError, TypeError):
            # Killed just now, or the database is away.
            continue
        usage = status["usage"]
        kept = usage["usedSpace"] + usage["reservedSpace"]
        most[0] = max(most[0], kept)
        uploaded[0] = max(uploaded[0], status["statistics"]["filesUploaded"])
        if usage.get("quota") is not None and kept > usage["quota"]:
            raise Fault(f"more is kept than the quota: {usage}")
        return


def finish(fleet: relaying.Fleet) -> None:
    """What lost answers left has expired, and its bodies are gone."""
    for process in fleet.processes:
        process.stop()
    check(fleet, "before the sweep", exact=False)
    fleet.sql("UPDATE chunks SET hour = hour - 1000; UPDATE reservations SET deadline = 0;")
    fleet.processes[0].start()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        usage = fleet.processes[0].status()["usage"]
        left = bodies()
        if not left and not any(usage[name] for name in ("chunks", "uploaded", "recipients", "usedSpace", "reservedSpace")):
            break
        time.sleep(0.5)
    else:
        raise Fault(f"left after the sweep: {usage}, {len(left)} bodies: {left[:3]}")
    fleet.processes[0].stop()
    check(fleet, "after the sweep", exact=True)


def bodies() -> list[pathlib.Path]:
    """What the storage has, where it is a folder."""
    return [path for path in pathlib.Path("objects").glob("bucket/**/*") if path.is_file()]


def check(fleet: relaying.Fleet, moment: str, exact: bool) -> None:
    one = fleet.processes[0]
    result = subprocess.run(
        [one.program, "check", "--folder", one.folder, "--json"], capture_output=True, text=True)
    print(f"  {moment}: {result.stdout.strip()[:300]}", flush=True)
    if result.returncode != 0:
        raise Fault(f"check {moment}: {result.stdout[-500:]} {result.stderr[-500:]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("transfers", type=int, nargs="?", default=20_000)
    parser.add_argument("clients", type=int, nargs="?", default=50)
    parser.add_argument("seed", type=int, nargs="?", default=random.randrange(1_000_000))
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--s3", default="objects")
    parser.add_argument("--store", default="postgres+s3")
    parser.add_argument("--quota", default="200mb")
    parser.add_argument("--gently", action="store_true")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    random.seed(arguments.seed)
    programs = arguments.programs.resolve()
    with soaking.workplace():
        try:
            settings = {("TRANSPORT", "drain_delay"): 2} if arguments.gently else {}
            fleet = relaying.Fleet(
                programs, arguments.processes, arguments.store, arguments.s3, arguments.quota, settings=settings)
        except relaying.Missing as missing:
            return print(f"left out: {missing} is not installed")
        try:
            soak(fleet, arguments, arguments.seed)
            finish(fleet)
        except (Fault, subprocess.SubprocessError) as fault:
            logs = "\n".join(path.read_text()[-1500:] for path in pathlib.Path(".").glob("relay*.log"))
            sys.exit(f"seed {arguments.seed}: {fault}\n{logs}")
        finally:
            fleet.stop()


if sys.argv[1:2] == ["--clients"]:
    clients(*map(int, sys.argv[2:]))
else:
    main()
