"""Files over our own relay on loopback, as shares of what the processor's arithmetic allows; and over a relay as strict as
the official one, with the longest time in which nothing came of an upload that was under way.

Usage: transfer.py FOLDER_OF_THE_PROGRAMS [FILE_BYTES ROUNDS]

The limit is measured in the same round: every byte that is sent is encrypted, digested twice and sealed by TLS on one
core. Client and relay share the machine's cores, and the relay does half of that work again. All files lie in memory
(/dev/shm), so that no disk is measured.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import measure

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
from strict_peer import StrictRelay


def limit(programs: pathlib.Path) -> float:
    """Bytes a second of the arithmetic of one sent byte, on one core."""
    output = subprocess.run([programs / "valise-limits"], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"^transfer all 1 (\d+) MB/s", output, re.M)[1]) * 1e6


class Relay:
    """A relay in a folder, and its peak memory at the end."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path) -> None:
        home = folder / "relay"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        made = subprocess.run(
            [programs / "valise-relay", "init", "--folder", home, "--host", "127.0.0.1", "--listen", "127.0.0.1",
             "--port", str(port), "--quota", "20gb", "--json"], capture_output=True, text=True, check=True)
        self.address = json.loads(made.stdout)["address"]
        log = folder / "relay.log"
        with open(log, "w") as output:
            self.process = subprocess.Popen(
                [programs / "valise-relay", "start", "--folder", home], stdout=output, stderr=subprocess.STDOUT)
        while "listening" not in log.read_text():
            if self.process.poll() is not None:
                sys.exit(f"the relay did not start: {log.read_text()}")
            time.sleep(0.05)

    def memory(self) -> int:
        """In KiB, the most so far."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1])

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Transfers:
    """Rounds of sending and receiving over one relay."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, address: str, size: int) -> None:
        self.programs, self.folder, self.address, self.size = programs, folder, address, size
        self.rates: dict[str, list[float]] = {"send": [], "receive": []}
        self.shares: dict[str, list[float]] = {"send": [], "receive": []}
        self.memory = {"send": 0, "receive": 0}

    def round(self) -> None:
        most = limit(self.programs)
        for old in ("source.xftp", "received"):
            target = self.folder / old
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        commands = {
            "send": [self.programs / "valise", "file", "send", "source", "--server", self.address, "--quiet"],
            "receive": [
                self.programs / "valise", "file", "receive", "source.xftp/rcv1.xftp", "--output", "received",
                "--approve-relays", "--quiet"],
        }
        for verb, command in commands.items():
            seconds, peak = measure(command, self.folder)
            self.rates[verb].append(self.size / seconds)
            self.shares[verb].append(self.size / seconds / most)
            self.memory[verb] = max(self.memory[verb], peak)
        subprocess.run(["cmp", "source", "received"], cwd=self.folder, check=True)
        subprocess.run(
            [self.programs / "valise", "file", "delete", "source.xftp/snd.xftp.private", "--quiet"], cwd=self.folder,
            check=True, stdout=subprocess.DEVNULL)
        time.sleep(1)

    def report(self, name: str) -> None:
        for verb, values in self.rates.items():
            print(
                f"{name:6} {verb:8} {statistics.median(values) / 1e6:6.0f} MB/s  {self.memory[verb] // 1024:4} MiB   "
                f"x {statistics.median(self.shares[verb]):5.2f} of the arithmetic on one core "
                f"(rounds: {' '.join(f'{share:.2f}' for share in self.shares[verb])})")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 200 << 20
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        os.environ["HOME"] = name
        for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ.pop(variable, None)
        source = folder / "source"
        with open(source, "wb") as file, open("/dev/urandom", "rb") as noise:
            for _ in range(size >> 20):
                file.write(noise.read(1 << 20))
        relay, strict = Relay(programs, folder), StrictRelay(name + "/strict", RuntimeError)
        own = Transfers(programs, folder, relay.address, size)
        other = Transfers(programs, folder, strict.address, size)
        for _ in range(rounds):
            own.round()
            other.round()
        own.report("own")
        print(f"relay           peak {relay.memory() // 1024} MiB")
        other.report("strict")
        pauses = [event["longestPause"] for event in strict.events() if event.get("event") == "closed"]
        print(f"strict          longest pause of an upload {max(pauses):.3f} s (goal: at most 1 s)")
        relay.stop()
        strict.stop()


if __name__ == "__main__":
    main()
