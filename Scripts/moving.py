"""Two folders as two machines, a relay between them, and what tells whether an account arrived: for soak-move.py."""

import collections
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

# One that needs no derivation, for whatever is done a thousand times, and one as people have it.
RAW_KEY = "x'" + "5a" * 32 + "'"
PASSPHRASE = "a sample passphrase that somebody knows"
DATABASES = ["simplex_v1_chat.db", "simplex_v1_agent.db"]
# No command needs as long.
TOO_LONG = 600


class Fault(Exception):
    pass


def private(path: pathlib.Path, text: str) -> None:
    """A file that valise takes a passphrase from: others may not read it."""
    path.touch(mode=0o600)
    path.write_text(text)


class Relay:
    def __init__(self, programs: pathlib.Path, folder: str, *more: str, host: str = "127.0.0.1", inside=()) -> None:
        self.program = programs / "valise-relay"
        self.folder = pathlib.Path(folder).absolute()
        self.inside = list(inside)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        made = subprocess.run(
            [self.program, "init", "--folder", folder, "--host", host, "--listen", host, "--port", str(port),
             "--sign-algorithm", "ed448", "--json", *(more or ["--quota", "20gb"])],
            capture_output=True, text=True, check=True)
        self.address = json.loads(made.stdout)["address"]
        self.starts = 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        output = self.folder / "output"
        with open(output, "w") as log:
            self.process = subprocess.Popen(
                [*self.inside, self.program, "start", "--folder", self.folder], stdout=log, stderr=subprocess.STDOUT)
        for _ in range(600):
            if "listening" in output.read_text():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Fault(f"the relay does not start: {output.read_text()}")

    def kill(self) -> None:
        """It has to be running still."""
        self.process.send_signal(signal.SIGKILL)
        if self.process.wait() != -signal.SIGKILL:
            raise Fault(f"the relay had ended: {(self.folder / 'output').read_text()}")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def status(self) -> dict:
        result = subprocess.run(
            [self.program, "status", "--folder", self.folder, "--json"], capture_output=True, text=True, check=True)
        return json.loads(result.stdout)

    @property
    def files(self) -> list[pathlib.Path]:
        return sorted((self.folder / "files").iterdir())

    @property
    def log(self) -> pathlib.Path:
        return self.folder / "file-server-store.log"

    def change(self, setting: str, value: str) -> None:
        """Stops it, sets something in its settings, and starts it again."""
        self.stop()
        path = self.folder / "file-server.ini"
        text, count = re.subn(rf"(?m)^#? *{setting} = .*$", f"{setting} = {value}", path.read_text())
        if count != 1:
            raise Fault(f"{setting} is {count} times in {path.read_text()}")
        path.write_text(text)
        self.start()

    def age(self, hours: int) -> None:
        """Makes all that it keeps so much older, which its log tells."""
        self.stop()
        lines = [line.split(" ") for line in self.log.read_text().splitlines()]
        for words in lines:
            if words[0] == "FNEW":
                words[5] = str(int(words[5]) - hours * 3600)
        self.log.write_text("".join(" ".join(words) + "\n" for words in lines))
        self.start()

    def check_empty(self) -> None:
        """Of a kill between a relay's answer and its noting, a chunk's announcement may be left; never its content."""
        usage = self.status()["usage"]
        if self.files or usage["uploaded"] or usage["usedSpace"]:
            raise Fault(f"the relay keeps {[path.name for path in self.files]}, and counts {usage}")


class Run:
    """What a command came to."""

    def __init__(self, status: int, output: str, errors: str) -> None:
        self.status, self.output, self.errors = status, output, errors

    @property
    def result(self) -> dict:
        return json.loads(self.output)

    def __str__(self) -> str:
        return f"status {self.status}: {self.errors.strip()} {self.output[:300].strip()}"


class Machine:
    """A home with an account, or without one yet."""

    def __init__(self, programs: pathlib.Path, folder: str, passphrase: str = RAW_KEY, inside=()) -> None:
        self.passphrase = passphrase
        self.valise = programs / "valise"
        self.home = pathlib.Path(folder).absolute()
        self.home.mkdir(parents=True)
        self.account = self.home / "account"
        self.key = self.home / "passphrase"
        self.inside = list(inside)
        private(self.key, passphrase)
        self.environment = {
            **os.environ, "HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "configuration"), "XDG_CACHE_HOME": str(self.home / "cache")}

    def begin(self, *arguments, link: str | None = None, environment: dict | None = None) -> subprocess.Popen:
        """A link goes by standard input, as no argument should hold one."""
        (self.home / "input").write_text(link or "")
        with open(self.home / "input") as given, open(self.home / "output", "w") as output, \
                open(self.home / "errors", "w") as errors:
            return subprocess.Popen(
                [*self.inside, self.valise, *arguments], stdin=given, stdout=output, stderr=errors,
                env={**self.environment, **(environment or {})})

    def end(self, process: subprocess.Popen) -> Run:
        try:
            status = process.wait(TOO_LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Fault(f"{process.args} hangs: {(self.home / 'errors').read_text()}")
        return Run(status, (self.home / "output").read_text(), (self.home / "errors").read_text())

    def run(self, *arguments, allowed: tuple[int, ...] | None = (0,), **more) -> Run:
        """Allowed is nil for any failure, which has to be said in words."""
        run = self.end(self.begin(*arguments, **more))
        if allowed is None and (run.status <= 0 or not run.errors.strip()):
            raise Fault(f"{arguments} should fail: {run}")
        if allowed is not None and run.status not in allowed:
            raise Fault(f"{arguments}: {run}")
        return run

    # Moves.

    def sending(self, relay: Relay, *more: str) -> list:
        return ["move", "send", self.account, "--server", relay.address, "--yes", "--passphrase-file", self.key,
                "--json", "--quiet", *more]

    def receiving(self, *more: str) -> list:
        return ["move", "receive", "-", self.account, "--yes", "--approve-relays", "--passphrase-file", self.key,
                "--network-config", "leave", "--confirm", "error", "--json", "--quiet", *more]

    def finishing(self, words: str, *more: str) -> list:
        # A relay that was away when the receiver confirmed does not know that it did.
        return ["move", "finish", self.account, "--words", words, "--unconfirmed", "--json", "--quiet", *more]

    def cancelling(self) -> list:
        return ["move", "cancel", self.account, "--yes", "--json", "--quiet"]

    def moves(self) -> list[dict]:
        """As `move status` tells."""
        moves = self.run("move", "status", "--json").result["moves"]
        if any(move["isDamaged"] for move in moves):
            raise Fault(f"a record is damaged: {moves}")
        return moves

    def state(self) -> str:
        """Of the newest record, as it lies on the disk; the word nothing for none."""
        records = sorted((self.home / "state/valise/moves").glob("*/move.json"), key=lambda path: path.stat().st_mtime)
        if not records:
            return "nothing"
        return json.loads(records[-1].read_text())["move"]["state"]["type"]

    # What lies there.

    def visible(self) -> dict[str, pathlib.Path]:
        """Files of the account, but for hidden ones: locks, and work that is under way."""
        paths = (path for path in self.account.rglob("*") if path.is_file())
        names = {str(path.relative_to(self.account)): path for path in paths}
        return {name: path for name, path in names.items() if not any(part[0] == "." for part in name.split("/"))}

    def hidden(self) -> list[str]:
        """Work that is under way or was left, in the account's folder and beside it."""
        found = [*self.account.rglob(".*"), *self.home.glob(".*")]
        return sorted(str(path.relative_to(self.home)) for path in found if path.is_dir())

    def traces(self) -> dict[str, tuple[int, int, int]]:
        """By which a file is known not to have been touched."""
        files = {name: path.stat() for name, path in self.visible().items()}
        return {name: (found.st_size, found.st_mtime_ns, found.st_ino) for name, found in files.items()}

    def media(self) -> dict[str, str]:
        return {
            name: digest(path) for name, path in self.visible().items()
            if not name.startswith(tuple(DATABASES)) and "/" in name}

    def rows(self) -> dict[str, str]:
        """The databases as the sqlcipher shell dumps them: tables, rows, indices."""
        return {name: self.dump(self.account / name) for name in DATABASES}

    def shell(self, path: pathlib.Path, statements: str) -> subprocess.CompletedProcess:
        """A program that is not ours, on a database."""
        key = self.passphrase.replace('"', '""')
        return subprocess.run(
            ["sqlcipher", path], input=f'PRAGMA key = "{key}";\n{statements}\n'.encode(), capture_output=True)

    @contextlib.contextmanager
    def in_use(self):
        """A program that is not ours has the account open."""
        shell = subprocess.Popen(
            ["sqlcipher", self.account / DATABASES[0]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        shell.stdin.write(f'PRAGMA key = "{self.passphrase}";\nBEGIN EXCLUSIVE;\nSELECT \'is\', \'open\';\n')
        shell.stdin.flush()
        while "is|open" not in shell.stdout.readline():
            pass
        try:
            yield
        finally:
            shell.stdin.close()
            shell.wait()

    def dump(self, path: pathlib.Path) -> str:
        """A copy is read, so that no journal is made beside the original."""
        copy = self.home / "dumped.db"
        shutil.copyfile(path, copy)
        shell = self.shell(copy, "PRAGMA user_version;\n.dump")
        copy.unlink()
        text = shell.stdout
        if shell.returncode != 0 or not text.rstrip().endswith(b"COMMIT;") or text.count(b"INSERT INTO") < 10:
            raise Fault(f"sqlcipher cannot dump {path}: {shell.stderr.decode()} {text[:200]!r}")
        return hashlib.sha256(text).hexdigest()


def digest(path: pathlib.Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Sample:
    """An account of a size that every round begins with."""

    count = 0

    def __init__(
            self, programs: pathlib.Path, megabytes: int, seed: int = 1, passphrase: str = RAW_KEY) -> None:
        Sample.count += 1
        self.machine = Machine(programs, f"sample-{Sample.count}", passphrase)
        self.megabytes = megabytes
        subprocess.run(
            [programs / "valise-sample", self.machine.account, "--passphrase-file", self.machine.key, "--media-bytes",
             str(megabytes * 1_000_000), "--seed", str(seed)], check=True, stdout=subprocess.DEVNULL)
        self.rows = self.machine.rows()
        self.media = self.machine.media()
        if len(self.media) < 5:
            raise Fault(f"the sample has too few media: {self.media}")

    def copy(self, machine: Machine) -> None:
        subprocess.run(["cp", "-a", "--reflink=auto", self.machine.account, machine.account], check=True)


class Pair:
    """The old machine with a sample, the new one without, and a relay."""

    count = 0

    def __init__(
            self, programs: pathlib.Path, sample: Sample, relay: Relay, inside: tuple[list, list] = ([], [])) -> None:
        Pair.count += 1
        self.sample, self.relay = sample, relay
        self.old = Machine(programs, f"old-{Pair.count}", sample.machine.passphrase, inside[0])
        self.new = Machine(programs, f"new-{Pair.count}", sample.machine.passphrase, inside[1])
        sample.copy(self.old)
        self.source = self.old.traces()

    def check_source(self) -> None:
        """Until `finish` nothing of it is changed."""
        found = self.old.traces()
        if found != self.source:
            changed = {name for name in {*found, *self.source} if found.get(name) != self.source.get(name)}
            raise Fault(f"the source is not what it was: {sorted(changed)}, state {self.old.state()}")

    def check_nothing_arrived(self) -> None:
        if self.new.account.exists() and self.new.visible():
            raise Fault(f"something is in place: {sorted(self.new.visible())[:5]}")

    def check_arrived(self) -> None:
        """Row for row and file for file."""
        if (rows := self.new.rows()) != self.sample.rows:
            raise Fault(f"other rows arrived: {rows} for {self.sample.rows}")
        if (media := self.new.media()) != self.sample.media:
            differing = {name for name in {*media, *self.sample.media} if media.get(name) != self.sample.media.get(name)}
            raise Fault(f"other files arrived: {sorted(differing)[:5]}")
        if hidden := self.new.hidden():
            raise Fault(f"work is left on the new machine: {hidden}")

    def check_retired(self) -> None:
        """No program finds a database, and our own say why."""
        names = set(self.old.visible())
        expected = {f"{name}.moved" for name in DATABASES}
        if names & set(DATABASES) or not expected <= names or "simplex_v1.valise-moved" not in names:
            raise Fault(f"the source is not retired: {sorted(names)[:10]}")
        if self.old.media() != self.sample.media:
            raise Fault("media of the retired account are not what they were")
        opened = self.old.run("account", "check", self.old.account, "--passphrase-file", self.old.key, allowed=None)
        if "moved" not in opened.errors:
            raise Fault(f"a retired account is opened: {opened}")
        self.check_quiet(self.old)
        self.relay.check_empty()

    def check_quiet(self, machine: Machine) -> None:
        """No journal of an upload is left, and no move is under way."""
        uploads = machine.home / "state/valise/uploads"
        if uploads.exists() and (left := list(uploads.iterdir())):
            raise Fault(f"journals are left: {left}")
        if under_way := [move for move in machine.moves() if move["state"] not in ("finished", None)]:
            raise Fault(f"a move is under way still: {under_way}")

    def remove(self) -> None:
        for machine in (self.old, self.new):
            shutil.rmtree(machine.home)

    # A move without faults.

    def send(self, *more: str) -> dict:
        return self.old.run(*self.old.sending(self.relay, *more)).result

    def receive(self, sent: dict) -> dict:
        return self.new.run(*self.new.receiving(), link="\n".join(sent["links"])).result

    def finish(self, words: str) -> None:
        self.old.run(*self.old.finishing(words))

    def complete(self, sent: dict | None = None) -> None:
        """Whatever was done before, the move comes to its end, with everything that is promised of it."""
        sent = sent or self.send()
        self.check_source()
        received = self.receive(sent)
        if received["words"] != sent["words"]:
            raise Fault(f"the words differ: {sent['words']} and {received['words']}")
        self.check_arrived()
        self.check_source()
        self.finish(received["words"])
        self.check_retired()


class Tally:
    """Kills by side and by state."""

    def __init__(self) -> None:
        self.sides: collections.Counter[str] = collections.Counter()
        self.states: dict[str, collections.Counter[str]] = {
            "sending": collections.Counter(), "receiving": collections.Counter()}

    def add(self, side: str, state: str) -> None:
        self.sides[side] += 1
        self.states[side][state] += 1

    def text(self, side: str) -> str:
        return ", ".join(f"{state} {count}" for state, count in sorted(self.states[side].items()))
