"""Where operations are interrupted, and restored again."""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

KEY, OTHER_KEY = "x'" + "5a" * 32 + "'", "x'" + "c3" * 32 + "'"
TOO_LONG = 120
PORT = 28573


class Fault(Exception):
    """Something is not what it should be."""


def new_root() -> pathlib.Path:
    """Always of the same length, as records hold it; in memory where that can be, so that nobody waits for a disk."""
    prefix = "/dev/shm/v-i." if os.access("/dev/shm", os.W_OK) else "/tmp/valise-i."
    while True:
        root = pathlib.Path(prefix + "".join(random.choices("abcdefghijkmnpqrstuvwxyz", k=24 - len(prefix))))
        if not root.exists():
            return root


def new_host() -> str:
    """One of this machine's sixteen million own addresses, always of the same length."""
    return "127." + ".".join(str(random.randrange(101, 250)) for _ in range(3))


class Run:
    def __init__(self, status: int, output: str, errors: str) -> None:
        self.status, self.output, self.errors = status, output, errors

    def __str__(self) -> str:
        return f"status {self.status}: {self.errors.strip()} {self.output.strip()[:400]}"


class Place:
    def __init__(self, programs: pathlib.Path, root: pathlib.Path, host: str) -> None:
        self.programs, self.root, self.host = programs, root, host
        self.relay: subprocess.Popen | None = None

    def environment(self, home: str = "home") -> dict[str, str]:
        folder = self.root / home
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "LANG") if name in os.environ}
        return {
            **kept, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data")}

    def begin_files(self) -> None:
        self.root.mkdir(0o700)
        for name in ("home", "home2"):
            (self.root / name).mkdir(0o700)
        for name, text in [("key", KEY), ("other-key", OTHER_KEY)]:
            self.write(name, text.encode())

    def write(self, name: str, content: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)

    def words(self, line: list[str]) -> list[str]:
        return [word.replace("$ROOT", str(self.root)).replace("$SERVER", self.address) for word in line]

    def run(
            self, line: str | list[str], home: str = "home", given: str | None = None,
            environment: dict[str, str] | None = None, allowed: tuple[int, ...] | None = (0,)) -> Run:
        words = self.words(line.split() if isinstance(line, str) else line)
        program = self.programs / (words.pop(0) if words[0].startswith("valise-") else "valise")
        result = subprocess.run(
            [program, *words], env={**self.environment(home), **(environment or {})}, cwd=self.root,
            input=given or "", capture_output=True, text=True, timeout=TOO_LONG)
        run = Run(result.returncode, result.stdout, result.stderr)
        if allowed is not None and run.status not in allowed:
            raise Fault(f"{' '.join(map(str, words))}: {run}")
        return run

    # The relay.

    @property
    def address(self) -> str:
        path = self.root / "relay/fingerprint"
        return f"xftp://{path.read_text().strip()}@{self.host}:{PORT}" if path.exists() else ""

    def make_relay(self) -> None:
        self.run(
            f"valise-relay init --folder relay --host {self.host} --listen {self.host} --port {PORT} --quota 100mb "
            "--sign-algorithm ed25519")

    def start_relay(self) -> None:
        if not (self.root / "relay/file-server.ini").exists():
            return
        # Another run of the same tests on this machine may have its own there.
        for _ in range(TOO_LONG * 5):
            with socket.socket() as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    trial.bind((self.host, PORT))
                    break
                except OSError:
                    time.sleep(0.2)
        self.relay = subprocess.Popen(
            [self.programs / "valise-relay", "start", "--folder", "relay", "--json", "--log-level", "error"],
            cwd=self.root, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if b"address" not in self.relay.stdout.readline():
            raise Fault("the relay does not start")

    def stop_relay(self) -> None:
        if self.relay:
            self.relay.send_signal(signal.SIGTERM)
            self.relay.wait()
            self.relay.stdout.close()
            self.relay = None

    def relay_contents(self) -> int:
        return len(list((self.root / "relay/files").iterdir()))

    # What was left.

    def jobs(self, home: str = "home") -> list[dict]:
        return json.loads(self.run("jobs list --json", home).output)["jobs"]

    def remove(self) -> None:
        self.stop_relay()
        for _ in range(20):
            shutil.rmtree(self.root, ignore_errors=True)
            if not self.root.exists():
                return
            time.sleep(0.1)
