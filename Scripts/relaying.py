"""A relay of several processes for soaks and benchmarks, with all that it stands on: PostgreSQL, a storage server, a balancer before
the processes and one before the storage; and clients in Python, of which nothing is Valise's."""

import ctypes
import ctypes.util
import hashlib
import json
import os
import pathlib
import random
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/3-Subjects/Relay/Serving/Support"))
try:
    import xftp
except ImportError:
    # Of the system's modules another interpreter may know nothing.
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

KIBIBYTE = 1 << 10
SIZES = [64 * KIBIBYTE] * 85 + [256 * KIBIBYTE] * 10 + [1024 * KIBIBYTE] * 4 + [4096 * KIBIBYTE]


class Fault(Exception):
    pass


class Missing(Exception):
    """A program that is not installed."""


def use_sodium() -> bool:
    """Decrypts by libsodium, where it is: what Python can do alone takes a second for a mebibyte."""
    name = ctypes.util.find_library("sodium")
    if not name:
        return False
    sodium = ctypes.CDLL(name)

    def decrypt(secret: bytes, nonce: bytes, data: bytes) -> bytes:
        key = ctypes.create_string_buffer(32)
        sodium.crypto_core_hsalsa20(key, bytes(16), secret, None)
        plain = ctypes.create_string_buffer(len(data) - 16)
        wrong = sodium.crypto_secretbox_open_detached(
            plain, data[:-16], data[-16:], ctypes.c_ulonglong(len(data) - 16), nonce, key)
        assert not wrong, "wrong tag"
        return plain.raw

    xftp.decrypt = decrypt
    return True


# What one stands on.

def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def program(name: str) -> str:
    for folder in [*os.environ["PATH"].split(":"), "/usr/sbin", "/sbin"]:
        if os.access(path := f"{folder}/{name}", os.X_OK):
            return path
    raise Missing(name)


class Helper:
    """A script that starts a server, says where it is in a line of JSON, and ends with its input."""

    def __init__(self, *command: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer = json.loads(self.process.stdout.readline() or "{}")
        if missing := self.answer.get("missing"):
            self.stop()
            raise Missing(missing)

    def command(self, word: str) -> None:
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait(60)


class Balancer:
    """HAProxy: before the processes of the relay as they are ready, with the address of the client; and before the storage, so that
    it can be out of reach."""

    def __init__(self, relays: list[tuple[int, int]], storage: str | None, proxies: bool = True) -> None:
        self.port, self.storage_port = free_port(), free_port()
        self.socket = os.path.abspath("haproxy.sock")
        sending = " send-proxy-v2" if proxies else ""
        lines = [
            "global", f"  stats socket {self.socket} mode 600 level admin", "  maxconn 6000",
            "defaults", "  timeout connect 2s", "  timeout client 15m", "  timeout server 15m",
            "listen relay", f"  bind 127.0.0.1:{self.port}", "  mode tcp", "  balance leastconn", "  option redispatch",
            "  retries 3", "  option httpchk GET /ready"]
        lines += [
            f"  server relay{number} 127.0.0.1:{port} check port {metrics} inter 500ms fall 1 rise 1{sending}"
            for number, (port, metrics) in enumerate(relays)]
        if storage:
            lines += [
                "listen storage", f"  bind 127.0.0.1:{self.storage_port}", "  mode http", "  option http-keep-alive",
                f"  server s3 {storage.removeprefix('http://')}"]
        pathlib.Path("haproxy.cfg").write_text("\n".join(lines) + "\n")
        self.process = subprocess.Popen(
            [program("haproxy"), "-db", "-f", "haproxy.cfg"], stdout=open("haproxy.log", "w"), stderr=subprocess.STDOUT)
        wait_for_port(self.port, self.process)

    def say(self, command: str) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.socket)
            connection.sendall(command.encode() + b"\n")
            connection.recv(4096)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def wait_for_port(port: int, process: subprocess.Popen, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
    raise Fault(f"nothing listens on port {port}")


class Process:
    """One of a relay's processes, in a folder of its own."""

    def __init__(self, programs: pathlib.Path, number: int, settings: dict, identity: pathlib.Path | None) -> None:
        self.program, self.folder = programs / "valise-relay", pathlib.Path(f"relay{number}").absolute()
        self.port, self.metrics = free_port(), free_port()
        if identity is None:
            subprocess.run(
                [self.program, "init", "--folder", self.folder, "--host", "127.0.0.1", "--listen", "127.0.0.1",
                 "--port", str(self.port), "--quota", "8gb"], capture_output=True, check=True)
            os.rename(self.folder / "ca.key", f"ca{number}.key")
        else:
            self.folder.mkdir(mode=0o700)
            (self.folder / "file-server.ini").write_text((identity / "file-server.ini").read_text())
            settings = settings | {("TRANSPORT", "identity"): str(identity), ("TRANSPORT", "port"): self.port}
        self.set({("TRANSPORT", "metrics_port"): self.metrics} | settings)
        self.log = self.folder.with_suffix(".log")
        self.process = None

    def set(self, settings: dict) -> None:
        """Values by sections and keys, in the place of those that are there."""
        path = self.folder / "file-server.ini"
        lines, section = [], ""
        left = dict(settings)
        for line in path.read_text().splitlines():
            if found := re.match(r"\[(.*)\]", line):
                lines += [f"{key} = {left.pop((part, key))}" for part, key in list(left) if part == section]
                section = found[1]
            elif (found := re.match(r"(\w+)\s*=", line)) and (section, found[1]) in left:
                line = f"{found[1]} = {left.pop((section, found[1]))}"
            lines.append(line)
        for part, key in list(left):
            lines += [f"[{part}]", f"{key} = {left[part, key]}"]
        path.write_text("\n".join(lines) + "\n")
        path.chmod(0o600)

    def start(self) -> None:
        output = open(self.log, "a")
        start = output.tell()
        self.process = subprocess.Popen(
            [self.program, "start", "--folder", self.folder], stdout=output, stderr=subprocess.STDOUT)
        for _ in range(1200):
            if "address: " in self.log.read_text()[start:]:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Fault(f"the relay does not start: {self.log.read_text()[-2000:]}")

    def status(self) -> dict:
        result = subprocess.run(
            [self.program, "status", "--folder", self.folder, "--json"], capture_output=True, text=True, check=True)
        return json.loads(result.stdout)

    def memory(self, name: str = "VmRSS") -> int:
        """In KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", status)[1])

    def cpu(self) -> float:
        """Seconds of the processor so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, seconds: float = 90) -> None:
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(seconds) != 0:
            raise Fault(f"the relay ended badly: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


class Fleet:
    """Processes that are one relay, in the current folder."""

    def __init__(
        self, programs: pathlib.Path, count: int, store: str = "postgres+s3", s3: str = "objects", quota: str = "8gb",
        balances: bool = True, settings: dict | None = None
    ) -> None:
        self.helpers, self.processes, self.balancer = [], [], None
        self.postgres = self.storage = None
        try:
            self.begin(programs, count, store.split("+"), s3, quota, balances, settings or {})
        except BaseException:
            self.stop()
            raise

    def begin(
        self, programs: pathlib.Path, count: int, store: list[str], s3: str, quota: str, balances: bool, more: dict
    ) -> None:
        settings = {("FILES", "storage_quota"): quota} | more
        if "postgres" in store:
            self.postgres = Helper(HERE / "servers/postgres.py", "--durable")
            self.helpers.append(self.postgres)
            settings[("STORE_LOG", "store_files")] = "database"
            settings[("STORE_LOG", "db_connection")] = self.postgres.answer["address"]
        if "s3" in store:
            pathlib.Path("objects").mkdir()
            script = [HERE / "servers/objects.py"] if s3 == "objects" else [HERE / "servers/serve.py", s3]
            self.storage = Helper(*script, "objects")
            self.helpers.append(self.storage)
            secret = pathlib.Path("secret").absolute()
            secret.touch(0o600)
            secret.write_text(self.storage.answer["secretKey"] + "\n")
            settings |= {
                ("FILES", "bodies"): "s3", ("OBJECTS", "endpoint"): self.storage.answer["address"],
                ("OBJECTS", "bucket"): self.storage.answer["bucket"], ("OBJECTS", "prefix"): "relay",
                ("OBJECTS", "region"): self.storage.answer["region"],
                ("OBJECTS", "access_key"): self.storage.answer["accessKey"],
                ("OBJECTS", "secret_key_file"): secret}
        if balances:
            settings[("TRANSPORT", "proxy_protocol")] = "on"
        identity = None
        for number in range(count):
            self.processes.append(Process(programs, number, settings, identity))
            identity = self.processes[0].folder
        if balances:
            address = self.storage.answer["address"] if self.storage else None
            self.balancer = Balancer([(one.port, one.metrics) for one in self.processes], address)
            if address:
                for one in self.processes:
                    one.set({("OBJECTS", "endpoint"): f"http://127.0.0.1:{self.balancer.storage_port}"})
        for one in self.processes:
            one.start()
        if balances:
            # Until the balancer has asked all of them.
            time.sleep(1.5)

    @property
    def port(self) -> int:
        return self.balancer.port if self.balancer else self.processes[0].port

    def sql(self, text: str) -> str:
        result = subprocess.run(
            [program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", self.postgres.answer["address"], "-c", text],
            capture_output=True, text=True, check=True, env=os.environ | {"PGOPTIONS": "-c search_path=valise_relay"})
        return result.stdout.strip()

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
        if self.balancer:
            self.balancer.stop()
        for helper in self.helpers:
            helper.stop()


# Clients.

def run_together(clients: list, transfers: int) -> None:
    """Each in a thread of its own, with its share of the transfers; ends the process where one fails."""
    faults = []

    def one(number: int) -> None:
        try:
            clients[number].run(transfers // len(clients) + (number < transfers % len(clients)))
        except Exception:
            faults.append(f"client {number}: {traceback.format_exc(limit=4)}")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        sys.exit("\n".join(faults[:3]))


OUTAGES = (xftp.Closed, xftp.Refused, OSError, ssl.SSLError)


class PatientClient:
    """Repeats what a connection that was cut has left without an answer, and what is answered by TIMEOUT, as the official
    clients do; keeps in mind what was acknowledged."""

    PATIENCE = 180

    def __init__(self, port: int, seed: int, decrypts: bool, kept: int = 8, sizes: list = SIZES) -> None:
        self.port, self.decrypts, self.kept, self.sizes = port, decrypts, kept, sizes
        self.random = random.Random(seed)
        self.connection = None
        self.fingerprint = None
        self.there = []
        self.up = self.down = self.repeats = self.cuts = self.refusals = 0
        self.longest = 0.0

    def run(self, transfers: int) -> None:
        for number in range(transfers):
            if number % 40 == 0:
                self.leave()
            if self.upload():
                self.download(self.random.choice(self.there))
            if self.random.random() < 0.05:
                self.try_others(self.random.choice(self.there))
            if len(self.there) > self.kept or self.random.random() < 0.3:
                self.delete()
        while self.there:
            self.delete()
        self.leave()

    def leave(self) -> None:
        if self.connection:
            try:
                self.connection.close()
            except OUTAGES:
                pass
        self.connection = None

    def patiently(self, what: str, action) -> tuple:
        """The answer, and whether it was asked for more than once."""
        start = time.monotonic()
        repeated = False
        while True:
            asked = False
            try:
                if not self.connection:
                    self.connection = xftp.Client(self.port, fingerprint=self.fingerprint, timeout=60)
                    self.fingerprint = self.connection.hello.fingerprint
                # Where the relay has ended the connection meanwhile, that is known before anything is asked.
                while select.select([self.connection.socket], [], [], 0)[0]:
                    self.connection.receive()
                asked = True
                answer = action(self.connection)
                self.connection.answers.clear()
                if answer not in ("ERR TIMEOUT", b"ERR TIMEOUT"):
                    self.longest = max(self.longest, time.monotonic() - start)
                    return answer, repeated
                # The balancer may know of a better process.
                self.leave()
            except Exception as error:
                # What a connection that ends at the wrong moment looks like in h2.
                is_h2 = type(error).__module__.split(".")[0] == "h2"
                if not isinstance(error, OUTAGES) and not is_h2 and not isinstance(error, AssertionError):
                    raise
                # A stream that was refused has not been looked at.
                self.cuts += asked and not isinstance(error, xftp.Refused)
                self.leave()
            if time.monotonic() - start > self.PATIENCE:
                raise Fault(f"{what}: no answer for {self.PATIENCE} s")
            repeated = True
            self.repeats += 1
            time.sleep(0.1 + self.random.random() * 0.4)

    def upload(self) -> bool:
        content = self.random.randbytes(self.random.choice(self.sizes))
        keys = xftp.Key(), xftp.Key()
        made, _ = self.patiently("FNEW", lambda one: one.new(keys[0], content, [keys[1]]))
        if isinstance(made, str):
            raise Fault(f"FNEW: {made}")
        sender, recipients = made
        answer, _ = self.patiently("FPUT", lambda one: one.put(keys[0], sender, content))
        if answer == "ERR QUOTA":
            self.refusals += 1
            self.patiently("FDEL", lambda one: one.command(b"FDEL", keys[0], sender))
            while len(self.there) > 1:
                self.delete()
            return bool(self.there)
        if answer != "OK":
            raise Fault(f"FPUT: {answer}")
        self.up += len(content)
        self.there.append((keys, sender, recipients[0], len(content), hashlib.sha256(content).digest()))
        return True

    def download(self, chunk: tuple) -> None:
        keys, _, recipient, size, digest = chunk
        content, _ = self.patiently("FGET", lambda one: one.get(keys[1], recipient, quick=not self.decrypts))
        if isinstance(content, str):
            raise Fault(f"FGET of what was acknowledged: {content}")
        if content != size + 16 if not self.decrypts else hashlib.sha256(content).digest() != digest:
            raise Fault(f"another chunk came back, of {size} bytes")
        self.down += size

    def try_others(self, chunk: tuple) -> None:
        """A stranger, and a sender who is no recipient, get nothing."""
        keys, sender, recipient, *_ = chunk
        for key, name in ((xftp.Key(), recipient), (keys[0], recipient), (keys[1], sender), (xftp.Key(), os.urandom(16))):
            answer, _ = self.patiently("FGET", lambda one: one.get(key, name))
            if answer != "ERR AUTH":
                raise Fault(f"a stranger's request: {str(answer)[:40]}")

    def delete(self) -> None:
        keys, sender, recipient, *_ = self.there.pop(self.random.randrange(len(self.there)))
        # Some have been received to the end before.
        if self.random.random() < 0.5:
            self.finish("FACK", lambda one: one.command(b"FACK", keys[1], recipient))
        self.finish("FDEL", lambda one: one.command(b"FDEL", keys[0], sender))
        answer, _ = self.patiently("FGET", lambda one: one.get(keys[1], recipient))
        if answer != "ERR AUTH":
            raise Fault(f"a deleted chunk: {str(answer)[:40]}")

    def finish(self, what: str, action) -> None:
        answer, repeated = self.patiently(what, action)
        # It may have been done when its answer was lost.
        if answer != b"OK" and not (repeated and answer == b"ERR AUTH"):
            raise Fault(f"{what}: {answer}")
