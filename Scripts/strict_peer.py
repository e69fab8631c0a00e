"""A relay as strict as the official one (Tests/Support/TestPeers/strict-relay.py), with what the soaks ask of a relay."""

import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "Tests/Support/TestPeers/strict-relay.py"


def is_wanted() -> bool:
    """Whether the soak runs against it: `VALISE_PEER=strict`."""
    return os.environ.get("VALISE_PEER") == "strict"


def interpreter() -> str:
    """The first Python that has what the relay imports."""
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run(
                [python, "-c", "import cryptography"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    sys.exit("no Python with the package cryptography; Scripts/setup.sh --with-test-tools installs it")


class StrictRelay:
    def __init__(self, folder: str, fault: type[Exception], quota: int | None = None) -> None:
        self.folder = pathlib.Path(folder).absolute()
        self.fault, self.quota = fault, quota
        self.folder.mkdir(exist_ok=True)
        self.python, self.port, self.starts = interpreter(), 0, 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        command = [self.python, SCRIPT, self.folder, "--port", str(self.port), "--lifetime", "86400"]
        if self.quota is not None:
            command += ["--quota", str(self.quota)]
        # Its events go to a file, since nobody here reads them while it runs.
        self.output = self.folder / f"output.{self.starts}"
        with open(self.output, "w") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)
        for _ in range(600):
            text = self.output.read_text()
            if text.endswith("\n") and '"address"' in text:
                self.address = json.loads(text.splitlines()[0])["address"]
                self.port = int(self.address.rsplit(":", 1)[1])
                return
            if self.process.poll() is not None:
                break
            select.select([], [], [], 0.05)
        raise self.fault(f"the relay does not start: {self.output.read_text()}")

    def kill(self) -> bool:
        self.process.send_signal(signal.SIGKILL)
        if self.process.wait() != -signal.SIGKILL:
            raise self.fault(f"the relay had ended: {self.output.read_text()[-2000:]}")
        self.check_peace()
        return True

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.check_peace()

    def events(self) -> list[dict]:
        """Of its last start."""
        found = []
        for line in self.output.read_text().splitlines():
            if line.startswith("{"):
                found.append(json.loads(line))
            elif line.strip():
                raise self.fault(f"the relay says: {self.output.read_text()[-2000:]}")
        return found

    def check_peace(self) -> None:
        """No client did what makes the official relay end a connection, or stand still."""
        for event in self.events():
            if event.get("event") == "closed" and event["why"] != "the client closed it":
                raise self.fault(f"the relay ended a connection: {event}")

    def received(self) -> int | None:
        """It counts no bytes."""
        return None

    # What it keeps.

    @property
    def files(self) -> list[pathlib.Path]:
        return sorted(path for path in (self.folder / "files").iterdir() if "." not in path.name)

    def uploaded(self) -> dict[str, int]:
        """The chunks that are there by the log, and their sizes in bytes."""
        sizes, there = {}, {}
        for line in (self.folder / "log").read_text().splitlines(True):
            if not line.endswith("\n"):
                continue
            word, name, *rest = json.loads(line)
            if word == "new":
                sizes[name] = rest[1]
            elif word == "put":
                if name in there:
                    raise self.fault(f"chunk {name} was stored twice")
                there[name] = sizes[name]
            elif word == "delete":
                there.pop(name, None)
        return there

    def check(self, chunks: int) -> None:
        there = self.uploaded()
        if len(there) != chunks or len(self.files) != chunks:
            raise self.fault(f"{chunks} chunks were sent, the log has {len(there)}, the folder {len(self.files)}")

    def check_empty(self) -> None:
        self.check(0)

    def age(self, hours: int) -> None:
        """After two days it has forgotten everything."""
        self.stop()
        if hours >= 48:
            shutil.rmtree(self.folder / "files")
            (self.folder / "log").write_text("")
        self.start()

    def change(self, setting: str, value: str) -> None:
        if setting != "storage_quota":
            raise self.fault(f"the strict relay has no setting {setting}")
        self.stop()
        number, unit = re.fullmatch(r"(\d+)(kb|mb|gb)", value).groups()
        self.quota = int(number) << {"kb": 10, "mb": 20, "gb": 30}[unit]
        self.start()
