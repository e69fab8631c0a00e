"""Files over our own relay on loopback, as shares of what the processor's arithmetic allows.

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
        relay = Relay(programs, folder)
        rates: dict[str, list[float]] = {"send": [], "receive": []}
        shares: dict[str, list[float]] = {"send": [], "receive": []}
        memory = {"send": 0, "receive": 0}
        for _ in range(rounds):
            most = limit(programs)
            for old in ("source.xftp", "received"):
                target = folder / old
                shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            commands = {
                "send": [programs / "valise", "file", "send", "source", "--server", relay.address, "--quiet"],
                "receive": [
                    programs / "valise", "file", "receive", "source.xftp/rcv1.xftp", "--output", "received",
                    "--approve-relays", "--quiet"],
            }
            for verb, command in commands.items():
                seconds, peak = measure(command, folder)
                rates[verb].append(size / seconds)
                shares[verb].append(size / seconds / most)
                memory[verb] = max(memory[verb], peak)
            subprocess.run(["cmp", "source", "received"], cwd=folder, check=True)
            subprocess.run(
                [programs / "valise", "file", "delete", "source.xftp/snd.xftp.private", "--quiet"], cwd=folder,
                check=True, stdout=subprocess.DEVNULL)
            time.sleep(1)
        for verb, values in rates.items():
            print(
                f"file {verb:8} {statistics.median(values) / 1e6:6.0f} MB/s  {memory[verb] // 1024:4} MiB   "
                f"x {statistics.median(shares[verb]):5.2f} of the arithmetic on one core "
                f"(rounds: {' '.join(f'{share:.2f}' for share in shares[verb])})")
        print(f"relay         peak {relay.memory() // 1024} MiB")
        relay.stop()


if __name__ == "__main__":
    main()
