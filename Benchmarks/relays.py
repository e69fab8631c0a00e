"""A relay for many: what a store in PostgreSQL costs beside the embedded one, what more processes bring, and what connections and
uploads take of memory.

Usage: relays.py FOLDER_OF_THE_PROGRAMS [ROUNDS IDLE_CONNECTIONS [stores|processes|memory]]

Eight clients transfer at the same time: files of 32 MiB by `valise file send` and `file receive`, and chunks of 64 KiB by clients in
Python, which wait for each answer. Stores are compared within each round. Where the clients have the same cores as the relay, more
processes bring nothing: so each process gets a tenth of a core, by stopping and continuing it, and one is compared with three.
There are so many clients then that none of the processes waits for them.
All lies in memory (/dev/shm) but the tables of PostgreSQL, which flushes.
"""

import os
import pathlib
import resource
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
import relaying
import soaking
from relaying import xftp

STORES = ["embedded+folder", "postgres+folder", "postgres+s3"]
CLIENTS = 8
FILE = 32 << 20
CHUNKS = 25
SELF = pathlib.Path(__file__).resolve()


class Place:
    """A folder of its own for each fleet, for as long as it runs."""

    def __init__(self, programs: pathlib.Path, name: str, *arguments: object, **named: object) -> None:
        self.folder = pathlib.Path(name).absolute()
        self.folder.mkdir()
        home = os.getcwd()
        os.chdir(self.folder)
        try:
            self.fleet = relaying.Fleet(programs, *arguments, **named)
        finally:
            os.chdir(home)

    def stop(self) -> None:
        self.fleet.stop()
        shutil.rmtree(self.folder)


def files(programs: pathlib.Path, place: Place) -> tuple[float, float]:
    """Bytes a second of eight that send, and of eight that receive, files."""
    one = place.fleet.processes[0]
    address = one.status()["address"]
    work = place.folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    commands = {"send": [], "receive": []}
    for number in range(CLIENTS):
        folder = work / str(number)
        folder.mkdir(parents=True)
        (folder / "source").write_bytes(os.urandom(FILE))
        valise = [programs / "valise", "file"]
        commands["send"].append((folder, [*valise, "send", "source", "--server", address, "--quiet"]))
        commands["receive"].append((folder, [
            *valise, "receive", "source.xftp/rcv1.xftp", "--output", "received", "--approve-relays", "--quiet"]))
    rates = []
    for verb in ("send", "receive"):
        start = time.monotonic()
        running = [
            subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env=os.environ | {"HOME": str(folder)})
            for folder, command in commands[verb]]
        if any(process.wait() for process in running):
            sys.exit(f"file {verb} failed")
        rates.append(CLIENTS * FILE / (time.monotonic() - start))
    for folder, _ in commands["send"]:
        subprocess.run(
            [programs / "valise", "file", "delete", "source.xftp/snd.xftp.private", "--quiet"], cwd=folder,
            stdout=subprocess.DEVNULL, env=os.environ | {"HOME": str(folder)}, check=True)
    return rates[0], rates[1]


def chunks(port: int, count: int = CHUNKS, clients: int = CLIENTS) -> tuple[float, float]:
    """Chunks a second that eight clients upload, download and delete, and the median wait of one command in milliseconds."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-B", SELF, "--chunks", str(port), str(count), str(clients // 2)], stdout=subprocess.PIPE,
            text=True)
        for _ in range(2)]
    waits, ends = [], []
    for worker in workers:
        output, _ = worker.communicate()
        if worker.returncode:
            sys.exit("a client failed")
        seconds, *rest = map(float, output.split())
        ends.append(seconds)
        waits += rest
    return clients * count / max(ends), statistics.median(waits) * 1000


def work(port: int, count: int, clients: int) -> None:
    """In a process of its own: prints the seconds from the first command on, then those of each command."""
    waits = []
    connections = [xftp.Client(port, timeout=120) for _ in range(clients)]

    def one(connection: xftp.Client) -> None:
        content = os.urandom(64 << 10)
        for _ in range(count):
            keys = xftp.Key(), xftp.Key()

            def timed(action):
                start = time.monotonic()
                answer = action()
                waits.append(time.monotonic() - start)
                return answer

            sender, (recipient,) = timed(lambda: connection.new(keys[0], content, [keys[1]]))
            assert timed(lambda: connection.put(keys[0], sender, content)) == "OK"
            assert timed(lambda: connection.get(keys[1], recipient, quick=True)) == len(content) + 16
            assert timed(lambda: connection.command(b"FDEL", keys[0], sender)) == b"OK"
            connection.answers.clear()

    start = time.monotonic()
    threads = [threading.Thread(target=one, args=(connection,)) for connection in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(time.monotonic() - start, *waits)


def compare(programs: pathlib.Path, rounds: int) -> None:
    figures = {store: {"send": [], "receive": [], "chunks": [], "wait": [], "cpu": []} for store in STORES}
    places = {store: Place(programs, store, 1, store, balances=False) for store in STORES}
    try:
        for _ in range(rounds):
            for store, place in places.items():
                send, receive = files(programs, place)
                before = place.fleet.processes[0].cpu()
                rate, wait = chunks(place.fleet.port)
                cpu = (place.fleet.processes[0].cpu() - before) / (CLIENTS * CHUNKS) * 1000
                for name, value in zip(figures[store], (send, receive, rate, wait, cpu)):
                    figures[store][name].append(value)
    finally:
        for place in places.values():
            place.stop()
    for store in STORES:
        own, base = figures[store], figures[STORES[0]]

        def share(name: str) -> float:
            return statistics.median(one / other for one, other in zip(own[name], base[name]))

        print(
            f"{store:16} files up {statistics.median(own['send']) / 1e6:5.0f} MB/s (x {share('send'):.2f}), down "
            f"{statistics.median(own['receive']) / 1e6:5.0f} MB/s (x {share('receive'):.2f}); chunks of 64 KiB "
            f"{statistics.median(own['chunks']):5.0f}/s (x {share('chunks'):.2f}), a command {statistics.median(own['wait']):.1f} ms, "
            f"{statistics.median(own['cpu']):.1f} ms of the processor for a chunk", flush=True)


class Throttle(threading.Thread):
    """Lets a process run for a part of the time."""

    PERIOD = 0.02

    def __init__(self, process: relaying.Process, share: float) -> None:
        super().__init__(daemon=True)
        self.pid, self.share, self.over = process.process.pid, share, threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            os.kill(self.pid, signal.SIGSTOP)
            time.sleep(self.PERIOD * (1 - self.share))
            os.kill(self.pid, signal.SIGCONT)
            time.sleep(self.PERIOD * self.share)


def scale(programs: pathlib.Path, rounds: int, share: float = 0.1) -> None:
    ratios, rates = [], {1: [], 3: []}
    places = {count: Place(programs, f"of{count}", count, "postgres+s3") for count in (1, 3)}
    try:
        for _ in range(rounds):
            for count, place in places.items():
                throttles = [Throttle(process, share) for process in place.fleet.processes]
                for throttle in throttles:
                    throttle.start()
                rates[count].append(chunks(place.fleet.port, count=8, clients=96)[0])
                for throttle in throttles:
                    throttle.over.set()
                    throttle.join()
            ratios.append(rates[3][-1] / rates[1][-1])
    finally:
        for place in places.values():
            place.stop()
    print(
        f"three processes, each with {share:.0%} of a core, {statistics.median(rates[3]):.0f} chunks/s; one "
        f"{statistics.median(rates[1]):.0f}/s: x {statistics.median(ratios):.2f} (goal: 1.6)", flush=True)


def memory(programs: pathlib.Path, idle: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, idle + 500), hard))
    settings = {("TRANSPORT", "connections"): idle + 200, ("TRANSPORT", "connections_per_address"): 50}
    for store in ("embedded+folder", "postgres+s3"):
        texts = []
        # Each in a process of its own: what one has given back another would use.
        for measured in (lambda process, port: connections(process, port, idle), uploads):
            place = Place(programs, f"memory-{store}", 1, store, balances=False, settings=settings)
            try:
                texts.append(measured(place.fleet.processes[0], place.fleet.port))
            finally:
                place.stop()
        print(f"{store:16} {'; '.join(texts)}", flush=True)


def connections(process: relaying.Process, port: int, count: int) -> str:
    before = process.memory()
    start = time.monotonic()
    open_ones = [xftp.Client(port, timeout=60) for _ in range(count)]
    seconds = time.monotonic() - start
    held = process.status()["connections"]["connections"]
    each = (process.memory() - before) / count
    for one in open_ones[:: max(1, count // 50)]:
        one.ping()
    for one in open_ones:
        one.socket.close()
    return f"{held} idle connections of {count} held, made in {seconds:.0f} s, {each:.0f} KiB each"


def uploads(process: relaying.Process, port: int, count: int = 64) -> str:
    """Of 4 MiB, stopped in the middle."""
    before = process.memory()
    content = os.urandom(4 << 20)
    halves = []
    for _ in range(count):
        client = xftp.Client(port, timeout=60)
        keys = xftp.Key(), xftp.Key()
        sender, _ = client.new(keys[0], content, [keys[1]])
        stream = client.open(client.block(b"FPUT", keys[0], sender) + content[: 2 << 20], ends=False)
        halves.append((client, stream))
    time.sleep(1)
    each = (process.memory() - before) / count
    for client, stream in halves:
        client.send(stream, content[2 << 20 :])
        assert client.parse(client.wait(stream)["body"])[0] == b"OK"
    return f"{count} uploads under way {each:.0f} KiB each, with their connections"


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    idle = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
    part = sys.argv[4] if len(sys.argv) > 4 else ""
    with soaking.workplace():
        try:
            if part in ("", "stores"):
                compare(programs, rounds)
            if part in ("", "processes"):
                scale(programs, rounds)
            if part in ("", "memory"):
                memory(programs, idle)
        except relaying.Missing as missing:
            print(f"left out: {missing} is not installed")


if sys.argv[1:2] == ["--chunks"]:
    work(*map(int, sys.argv[2:]))
else:
    main()
