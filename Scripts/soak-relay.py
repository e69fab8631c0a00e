"""Uploads and downloads by many clients at once, of a relay whose memory and descriptors must not grow.

Usage: soak-relay.py FOLDER_OF_THE_PROGRAMS [TRANSFERS CLIENTS SEED]

So many chunks are uploaded, and as many downloads are made of chunks that are there, each compared. Chunks are deleted
and acknowledged in between, connections are closed and made again. The clients are those of the relay's tests, in
Python: nothing of them is Valise's. In the end the relay has to keep nothing, have no more descriptors than before, and
no more memory than in the middle, but for the BOUND.
"""

import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import relaying
from relaying import KIBIBYTE, SIZES, Fault, use_sodium, xftp

# How much more memory the last quarter may take than the second one, and the most at all, in KiB.
BOUND = 24 * KIBIBYTE
MOST = 256 * KIBIBYTE
# Chunks that one client keeps on the relay, and transfers on one connection.
KEPT = 8
ON_CONNECTION = 40
PROCESSES = 2
SELF = os.path.abspath(__file__)


class Relay(relaying.Process):
    def __init__(self, programs: pathlib.Path) -> None:
        super().__init__(programs, 0, {}, None)
        self.start()
        self.settle()

    def settle(self) -> None:
        """What is opened beside the port, such as the socket for commands and the first timers, is there before anyone counts."""
        count = -1
        for _ in range(40):
            if count == (count := self.descriptors()):
                return
            time.sleep(0.25)
        raise Fault(f"the relay does not settle: {self.log.read_text()}")

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


# Clients.

class Client:
    def __init__(self, port: int, seed: int, decrypts: bool) -> None:
        self.port, self.decrypts = port, decrypts
        self.random = random.Random(seed)
        self.connection = None
        self.there = []
        self.up = self.down = 0

    def run(self, transfers: int) -> None:
        for number in range(transfers):
            if number % ON_CONNECTION == 0:
                self.reconnect()
            self.upload()
            self.download(*self.random.choice(self.there))
            if len(self.there) > KEPT or self.random.random() < 0.3:
                self.delete()
            for answer in self.connection.answers.values():
                answer["body"] = b""
        while self.there:
            self.delete()
        self.connection.close()

    def reconnect(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = xftp.Client(self.port, timeout=120)

    def upload(self) -> None:
        content = self.random.randbytes(self.random.choice(SIZES))
        keys = xftp.Key(), xftp.Key()
        made = self.connection.new(keys[0], content, [keys[1]])
        if isinstance(made, str):
            raise Fault(f"FNEW: {made}")
        sender, recipients = made
        if (answer := self.connection.put(keys[0], sender, content)) != "OK":
            raise Fault(f"FPUT: {answer}")
        self.up += len(content)
        self.there.append((keys, sender, recipients[0], len(content), hashlib.sha256(content).digest()))

    def download(self, keys: tuple, sender: bytes, recipient: bytes, size: int, digest: bytes) -> None:
        content = self.connection.get(keys[1], recipient, quick=not self.decrypts)
        if isinstance(content, str):
            raise Fault(f"FGET: {content}")
        if content != size + 16 if not self.decrypts else hashlib.sha256(content).digest() != digest:
            raise Fault(f"another chunk came back, of {size} bytes")
        self.down += size

    def delete(self) -> None:
        keys, sender, recipient, *_ = self.there.pop(self.random.randrange(len(self.there)))
        # Some have been received to the end before.
        if self.random.random() < 0.5 and self.connection.command(b"FACK", keys[1], recipient) != b"OK":
            raise Fault("FACK")
        if self.connection.command(b"FDEL", keys[0], sender) != b"OK":
            raise Fault("FDEL")
        if not (answer := self.connection.get(keys[1], recipient)) == "ERR AUTH":
            raise Fault(f"a deleted chunk: {answer}")


def clients(port: int, transfers: int, count: int, seed: int) -> None:
    """In a process of its own; ends it. Prints how many bytes went up and down."""
    decrypts = use_sodium()
    made = [Client(port, seed * 1000 + number, decrypts) for number in range(count)]
    relaying.run_together(made, transfers)
    print(sum(client.up for client in made), sum(client.down for client in made), "" if decrypts else "undecrypted", flush=True)


# The relay meanwhile.

def soak(relay: Relay, transfers: int, count: int, seed: int) -> None:
    before = relay.descriptors(), relay.memory()
    processes = [
        subprocess.Popen(
            [sys.executable, "-B", SELF, "--clients", str(relay.port), str(transfers // PROCESSES),
             str(count // PROCESSES), str(seed + number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for number in range(PROCESSES)]
    start = time.monotonic()
    # Of each quarter of the uploads: the most descriptors and the most memory.
    quarters = [(0, 0)] * 4
    try:
        while any(process.poll() is None for process in processes):
            time.sleep(0.5)
            received = relay.status()["connections"]["received"]
            quarter = min(3, received * 4 // (sum(SIZES) // len(SIZES) * transfers))
            now = relay.descriptors(), relay.memory()
            quarters[quarter] = tuple(map(max, quarters[quarter], now))
        outcomes = [process.communicate() for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    seconds = time.monotonic() - start
    if any(process.returncode for process in processes):
        raise Fault("\n".join(errors for _, errors in outcomes))
    sizes = [output.split() for output, _ in outcomes]
    note = " (libsodium is not here: only lengths were compared)" if any(len(words) > 2 for words in sizes) else ""
    up, down = (sum(int(words[at]) for words in sizes) for at in (0, 1))
    after = settle(relay, before[0])
    report(relay, transfers, count, seconds, up + down, [before, *quarters, after], note)
    check(relay, up, before, quarters, after)


def settle(relay: Relay, descriptors: int) -> tuple[int, int]:
    """Connections that were closed end soon."""
    for _ in range(100):
        if relay.descriptors() <= descriptors:
            break
        time.sleep(0.1)
    return relay.descriptors(), relay.memory()


def report(
    relay: Relay, transfers: int, count: int, seconds: float, transferred: int, states: list, note: str
) -> None:
    print(
        f"relay: {transfers} uploads and as many downloads by {count} clients, {transferred / 1e6:.0f} MB in "
        f"{seconds:.0f} s{note}\n"
        f"  descriptors: {states[0][0]} before, most of each quarter {' '.join(str(at[0]) for at in states[1:5])}, "
        f"{states[5][0]} after\n"
        f"  memory: {states[0][1] // 1024} MiB before, most of each quarter "
        f"{' '.join(str(at[1] // 1024) for at in states[1:5])}, {states[5][1] // 1024} after, "
        f"peak {relay.memory('VmHWM') // 1024}", flush=True)


def check(relay: Relay, uploaded: int, before: tuple, quarters: list, after: tuple) -> None:
    if after[0] > before[0]:
        names = [os.readlink(path) for path in pathlib.Path(f"/proc/{relay.process.pid}/fd").iterdir()]
        raise Fault(f"{after[0]} descriptors after, {before[0]} before: {names}")
    # A short run has no second quarter that a sample fell into.
    if quarters[1][1] and max(quarters[3][1], after[1]) > quarters[1][1] + BOUND:
        raise Fault(f"memory grows by more than {BOUND} KiB: {quarters}, then {after}")
    if relay.memory("VmHWM") > MOST:
        raise Fault(f"memory of {relay.memory('VmHWM')} KiB, more than {MOST}")
    status = relay.status()
    usage, connections = status["usage"], status["connections"]
    if connections["received"] != uploaded:
        raise Fault(f"{uploaded} bytes were uploaded, the relay counts {connections}")
    if any(usage[name] for name in ("chunks", "uploaded", "recipients", "usedSpace", "reservedSpace")):
        raise Fault(f"the relay keeps what was deleted: {usage}")
    if left := os.listdir(relay.folder / "files"):
        raise Fault(f"{len(left)} files are left")
    if connections["connections"] or connections["misbehaved"]:
        raise Fault(f"connections: {connections}")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    transfers = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        os.chdir(folder)
        relay = Relay(programs)
        try:
            soak(relay, transfers, count, seed)
            relay.stop(60)
        except (Fault, subprocess.SubprocessError) as fault:
            sys.exit(f"seed {seed}: {fault}")
        finally:
            relay.kill()
            os.chdir("/")


if sys.argv[1] == "--clients":
    clients(*map(int, sys.argv[2:]))
else:
    main()
