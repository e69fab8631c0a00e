"""Kills `valise file send`, `valise file receive` and the relay between them at random moments.

Usage: soak-transfers.py FOLDER_OF_THE_PROGRAMS [KILLS MEBIBYTES SEED]

With VALISE_PEER=strict in the environment the relay is one as strict as the official one, else our own.

After each kill of a command the same command is run again, after each of the relay it is started again on its port,
until the file has arrived; then the next file, until so many processes were killed that were running. The file that
comes out has to equal the one that went in, and it never lies at its place before it is whole. Of what the relay had
acknowledged nothing may be sent again but the chunks that were on their way, as its log and its counters tell. What it
keeps has to be what its log names, and nothing may be left beside the files or in the folder of journals.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import soaking
import strict_peer

# As many chunks are sent at a time, and one more is made meanwhile.
PARALLEL = 4
MEBIBYTE = 1 << 20
# The file's own, and that of its description, which is sent as a file too.
DELETION = ["snd.xftp.private", "redirect1.snd.xftp.private"]
# No command needs as long, nor as many runs for one file.
TOO_LONG = 180
TOO_OFTEN = 300


class Relay:
    def __init__(self, programs: pathlib.Path) -> None:
        self.program = programs / "valise-relay"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        result = subprocess.run(
            [self.program, "init", "--folder", "relay", "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port",
             str(port), "--quota", "8gb", "--sign-algorithm", "ed448", "--json"],
            capture_output=True, text=True, check=True)
        self.address = json.loads(result.stdout)["address"]
        self.starts = 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        with open("relay.log", "w") as log:
            self.process = subprocess.Popen(
                [self.program, "start", "--folder", "relay"], stdout=log, stderr=subprocess.STDOUT)
        for _ in range(600):
            if "listening" in pathlib.Path("relay.log").read_text():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Fault(f"the relay does not start: {pathlib.Path('relay.log').read_text()}")

    def kill(self) -> bool:
        """Whether it was still running; it has to be."""
        self.process.send_signal(signal.SIGKILL)
        if self.process.wait() != -signal.SIGKILL:
            raise Fault(f"the relay had ended: {pathlib.Path('relay.log').read_text()}")
        return True

    def status(self) -> dict:
        result = subprocess.run(
            [self.program, "status", "--folder", "relay", "--json"], capture_output=True, text=True, check=True)
        return json.loads(result.stdout)

    def received(self) -> int | None:
        """The bytes that it got so far; None where it does not count them."""
        return self.status()["connections"]["received"]

    def log(self) -> list[list[str]]:
        """The lines of its log that have an end."""
        text = pathlib.Path("relay/file-server-store.log").read_text()
        return [line.split(" ") for line in text.splitlines(True) if line.endswith("\n")]

    def uploaded(self) -> dict[str, int]:
        """The chunks that are there by the log, and their sizes in bytes."""
        sizes, there = {}, {}
        for word, name, *rest in self.log():
            name = name.strip()
            if word == "FNEW":
                sizes[name] = int(rest[1])
            elif word == "FPUT":
                if name in there:
                    raise Fault(f"chunk {name} was stored twice")
                there[name] = sizes[name]
            elif word == "FDEL":
                there.pop(name, None)
        return there

    def check(self, chunks: int) -> None:
        """After a start: what is on the disk is what the log names, and what the relay counts."""
        there = self.uploaded()
        files = {path.name: path.stat().st_size for path in pathlib.Path("relay/files").iterdir()}
        if files != there:
            raise Fault(f"the log names {sorted(there.items())}, the folder has {sorted(files.items())}")
        usage = self.status()["usage"]
        found = (usage["uploaded"], usage["usedSpace"], usage["reservedSpace"])
        if found != (len(there), sum(there.values()), 0) or len(there) != chunks:
            raise Fault(f"{chunks} chunks were sent, the log has {len(there)}, the relay counts {usage}")


class Fault(Exception):
    pass


class World:
    def __init__(self, programs: pathlib.Path, size: int) -> None:
        self.valise = programs / "valise"
        self.size = size
        self.relay = strict_peer.StrictRelay("relay", Fault) if strict_peer.is_wanted() else Relay(programs)
        self.kills = {"send": 0, "receive": 0, "relay": 0}
        self.runs = {"send": 0, "receive": 0}
        self.skipped = 0
        self.remains = 0
        self.seconds = {"send": 1.0, "receive": 1.0}

    def file(self, seed: int) -> None:
        self.content = random.Random(seed).randbytes(self.size)
        pathlib.Path("source").write_bytes(self.content)

    def command(self, verb: str) -> list:
        more = {
            "send": ["source", "--server", self.relay.address, "--redirect", "always"],
            "receive": ["source.xftp/redirect1.xftp", "--output", "inbox/received", "--approve-relays", "--no-input"],
        }
        return [self.valise, "file", verb, *more[verb]]

    def begin(self, verb: str) -> subprocess.Popen:
        self.runs[verb] += 1
        with open("errors", "w") as errors:
            return subprocess.Popen(
                self.command(verb), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

    def uncut(self, verb: str) -> None:
        """One run without kills, to know how long it takes."""
        start = time.monotonic()
        if self.begin(verb).wait(TOO_LONG) != 0:
            raise Fault(f"file {verb}: {pathlib.Path('errors').read_text()}")
        self.seconds[verb] = time.monotonic() - start

    # One run, with kills.

    def run(self, verb: str) -> int:
        """The exit status, of a run that has a kill of itself, of the relay, of both or of none before it."""
        process = self.begin(verb)
        starts = self.relay.starts
        end = time.monotonic() + TOO_LONG
        # Below 1 it comes to a kill in most runs; what is above lets it end.
        victims = random.choice([[verb], [verb], ["relay"], ["relay", verb], [verb, "relay"]])
        for victim in victims:
            try:
                process.wait(random.random() * self.seconds[verb] * 1.1)
                break
            except subprocess.TimeoutExpired:
                self.kill(victim, process)
        while process.poll() is None:
            if time.monotonic() > end:
                process.kill()
                process.wait()
                raise Fault(f"file {verb} hangs: {pathlib.Path('errors').read_text()}")
            time.sleep(0.01)
        if self.relay.process.poll() is not None:
            self.relay.start()
        self.isCut = self.relay.starts != starts
        return process.returncode

    def kill(self, victim: str, process: subprocess.Popen) -> None:
        if victim == "relay":
            self.relay.kill()
            time.sleep(random.random() * 0.2)
            self.relay.start()
            self.kills["relay"] += 1
            return
        process.send_signal(signal.SIGKILL)
        self.kills[victim] += process.wait() == -signal.SIGKILL

    def errors(self) -> str:
        return pathlib.Path("errors").read_text()

    def check_failure(self, verb: str, status: int) -> None:
        """A run may fail because the relay was killed under it, and then says so; no other failure is right."""
        if status not in (0, -signal.SIGKILL) and not self.isCut:
            raise Fault(f"file {verb} ended with {status}: {self.errors()}")

    # Sending.

    def journals(self) -> list[pathlib.Path]:
        """Those of uploads that have begun: the name of the source is in them."""
        found = pathlib.Path("state/valise/uploads").glob("*/*")
        return [path for path in found if b"/source" in path.read_bytes()]

    def send(self) -> None:
        for _ in range(TOO_OFTEN):
            stored = self.relay.uploaded()
            before = self.relay.received()
            known = bool(self.journals())
            status = self.run("send")
            self.check_resumed(stored, before, known)
            self.check_failure("send", status)
            if status == 0:
                return
            # Killed after its last act.
            if os.path.exists("source.xftp") and not self.journals():
                return
        raise Fault("the file is never sent")

    def check_resumed(self, stored: dict[str, int], before: int | None, known: bool) -> None:
        """What the relay had acknowledged is not sent again."""
        note = re.search(r"(\d+) chunks? of (\d+) had been transferred", self.errors())
        if not note:
            # A run that was killed at once says nothing.
            return
        resumed, total = int(note[1]), int(note[2])
        if not known or resumed > total or resumed < len(stored) - PARALLEL - 1:
            raise Fault(f"{len(stored)} chunks are on the relay, {resumed} of {total} count as sent")
        self.skipped += resumed
        if self.isCut or before is None:
            # Its counters began again.
            return
        received = self.relay.received() - before
        # And the description, in a small chunk.
        most = max(total - resumed, 0) * 4 * MEBIBYTE + (64 << 10)
        if received > most:
            raise Fault(f"{received} bytes came in for {total - resumed} chunks")

    def check_sent(self) -> int:
        """How many chunks there are."""
        if self.journals():
            raise Fault(f"journals are left: {self.journals()}")
        self.check_remains()
        folders = [path.name for path in pathlib.Path(".").glob("source*") if path.name != "source"]
        names = {path.name for path in pathlib.Path("source.xftp").iterdir()}
        if folders != ["source.xftp"] or names != {"rcv1.xftp", "redirect1.xftp", *DELETION}:
            raise Fault(f"descriptions: {folders} {names}")
        texts = [pathlib.Path("source.xftp", name).read_text() for name in DELETION]
        return sum(len(re.findall(r"^ *- \"?\d+:", text, re.M)) for text in texts)

    def check_remains(self) -> None:
        """What a kill left that hit while a journal was made or removed goes with the next upload, a minute later."""
        uploads = pathlib.Path("state/valise/uploads")
        remains = list(uploads.iterdir())
        if not remains:
            return
        self.remains += len(remains)
        for folder in remains:
            os.utime(folder, (0, 0))
        small = subprocess.run(
            [self.valise, "file", "send", "nothing", "--server", self.relay.address], capture_output=True, text=True)
        if small.returncode != 0 or list(uploads.iterdir()):
            raise Fault(f"{list(uploads.iterdir())} are left after the next upload: {small.stderr}")
        self.delete("nothing.xftp/snd.xftp.private")
        shutil.rmtree("nothing.xftp")

    def delete(self, description: str) -> None:
        deleted = subprocess.run([self.valise, "file", "delete", description], capture_output=True, text=True)
        if deleted.returncode != 0:
            raise Fault(f"file delete: {deleted.stderr}")

    # Receiving.

    def receive(self) -> None:
        for _ in range(TOO_OFTEN):
            status = self.run("receive")
            # Whole at once, or not there.
            if os.path.exists("inbox/received"):
                self.check_received()
                if status not in (0, -signal.SIGKILL):
                    raise Fault(f"the file is there, and the status {status}: {self.errors()}")
                return
            self.check_failure("receive", status)
            if status == 0:
                raise Fault("the file is not there")
        raise Fault("the file never arrives")

    def check_received(self) -> None:
        if pathlib.Path("inbox/received").read_bytes() != self.content:
            raise Fault("another file arrived")
        if (left := os.listdir("inbox")) != ["received"]:
            # Killed between the file's arrival and the end: the same command again cleans up.
            again = subprocess.run(self.command("receive"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if again.returncode != 0 or os.listdir("inbox") != ["received"]:
                raise Fault(f"{left} are left, then {os.listdir('inbox')}: {again.returncode} {again.stderr}")

    # A round.

    def clear(self) -> None:
        """The file is deleted from the relay, which keeps nothing of it."""
        for name in DELETION:
            self.delete(f"source.xftp/{name}")
        self.relay.check(0)
        shutil.rmtree("source.xftp", ignore_errors=True)
        shutil.rmtree("inbox")
        os.mkdir("inbox")

    def round(self, isCut: bool) -> None:
        self.file(random.getrandbits(32))
        for verb, act in {"send": self.send, "receive": self.receive}.items():
            if isCut:
                act()
            else:
                self.uncut(verb)
            chunks = self.check_sent()
            self.relay.kill()
            self.relay.start()
            self.relay.check(chunks)
        self.check_received()
        self.clear()


def soak(world: World, kills: int) -> None:
    os.mkdir("inbox")
    world.round(isCut=False)
    world.runs = {"send": 0, "receive": 0}
    files = 0
    start = time.monotonic()
    while sum(world.kills.values()) < kills:
        world.round(isCut=True)
        files += 1
    print(
        f"transfers: {sum(world.kills.values())} kills of running processes "
        f"({', '.join(f'{verb} {count}' for verb, count in world.kills.items())}) in {files} files of "
        f"{world.size // MEBIBYTE} MiB and {sum(world.runs.values())} runs, {time.monotonic() - start:.0f} s; "
        f"{world.skipped} chunks were not sent again; "
        f"remains of {world.remains} journals went with the next upload; all files are whole", flush=True)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    size = (int(sys.argv[3]) if len(sys.argv) > 3 else 50) * MEBIBYTE
    seed = soaking.seeded(4)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        os.chdir(folder)
        os.environ.update(HOME=folder, XDG_STATE_HOME=f"{folder}/state", XDG_CONFIG_HOME=f"{folder}/configuration")
        pathlib.Path("nothing").touch()
        world = World(programs, size)
        try:
            soak(world, kills)
        except (Fault, subprocess.SubprocessError) as fault:
            sys.exit(f"seed {seed}: {fault}")
        finally:
            world.relay.process.kill()
            world.relay.process.wait()
            os.chdir("/")


main()
