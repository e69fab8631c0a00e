"""Starts a PostgreSQL server of its own, for tests:

    postgres.py [--password TEXT] [--tcp] [--tls] [--durable] [--setting NAME=VALUE]...
    postgres.py --available         starts nothing; fails where something is not installed

It listens on a socket in a temporary folder, with --tcp also on the loopback, at a port that was free. It prints one JSON line:
`address`, a connection string for the socket; with --tcp `loopback`, one for the port; with --tls `authorities`; `folder`,
where all of it is, and `version`; or `missing`, what is not installed. The user may do everything. With --password every
connection has to give it; otherwise none does. Nothing is flushed, so that tests are quick, but with --durable.

It takes commands from its standard input, one on each line, and answers each with a JSON line, `{"done": COMMAND}`:

    stop        as at the shutdown of a machine: clients are told, and what they do is rolled back
    crash       all processes end at once; the next start recovers
    start       waits until it takes connections
    freeze      all processes stop where they are: nobody answers
    thaw        they go on

It ends with its standard input, so it ends with whoever started it, and the folder with it. PostgreSQL refuses to run as root:
there it runs as the user `postgres`.
"""

import argparse
import collections
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import serve

USER = "valise"
# A path of a socket has 107 bytes at most, and this is the last part of it.
SOCKET = "/.s.PGSQL.65535"


def programs():
    """Where initdb and postgres are: Debian has them beside each other, by version, and not in the PATH."""
    for name in ("initdb", "postgres"):
        if found := shutil.which(name):
            return pathlib.Path(found).resolve().parent
    folders = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
    usable = [folder for folder in folders if os.access(folder / "postgres", os.X_OK)]
    if not usable:
        raise serve.Missing("postgresql")
    return max(usable, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0))


def prefix():
    """What a command begins with, so that it is no root's, and ends with this process."""
    command = [serve.program("setpriv"), "--pdeathsig", "QUIT"]
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            raise serve.Missing("the user postgres") from None
        command += ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
    return command


def give(path):
    """Makes a file or folder the server's."""
    if os.geteuid() == 0:
        shutil.chown(path, "postgres", "postgres")


class Server:
    def __init__(self, arguments):
        self.arguments = arguments
        self.binaries = programs()
        self.prefix = prefix()
        folder = tempfile.mkdtemp(prefix="valise-pg.")
        if len(folder + SOCKET) > 107:
            os.rmdir(folder)
            folder = tempfile.mkdtemp(prefix="valise-pg.", dir="/tmp")
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        give(self.folder)
        self.process = None
        self.log = collections.deque(maxlen=50)
        self.port = serve.free_port() if arguments.tcp else 5432
        self.answer = {
            "address": f"host={self.folder} port={self.port} user={USER} dbname=postgres",
            "folder": str(self.folder),
        }

    def run(self, *command):
        done = subprocess.run([*self.prefix, *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              cwd=self.folder, check=False)
        if done.returncode != 0:
            sys.exit(f"{command[0]} failed: {done.stderr}")
        return done.stdout

    def initialize(self):
        command = [self.binaries / "initdb", "--pgdata", self.folder / "data", "--username", USER, "--encoding", "UTF8",
                   "--locale", "C", "--no-sync", "--no-instructions"]
        if self.arguments.password:
            file = self.folder / "password"
            file.touch(0o600)
            file.write_text(self.arguments.password + "\n", encoding="utf-8")
            give(file)
            command += ["--auth", "scram-sha-256", "--pwfile", file]
        else:
            command += ["--auth", "trust"]
        self.run(*command)
        settings = {
            "listen_addresses": "'127.0.0.1'" if self.arguments.tcp else "''",
            "port": self.port,
            "unix_socket_directories": f"'{self.folder}'",
            "unix_socket_permissions": "0777",
            "shared_buffers": "32MB",
        }
        if not self.arguments.durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        if self.arguments.tls:
            key, pem = serve.certificate(self.folder)
            key.chmod(0o600)
            give(key)
            settings |= {"ssl": "on", "ssl_cert_file": f"'{pem}'", "ssl_key_file": f"'{key}'"}
            self.answer["authorities"] = str(pem)
        lines = [f"{name} = {value}" for name, value in settings.items()]
        lines += [setting.replace("=", " = ", 1) for setting in self.arguments.setting]
        with open(self.folder / "data/postgresql.conf", "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        if self.arguments.tcp:
            self.answer["loopback"] = f"host=127.0.0.1 port={self.port} user={USER} dbname=postgres"
        self.answer["version"] = self.run(self.binaries / "postgres", "--version").split()[2]

    def start(self):
        if self.process:
            return
        self.process = subprocess.Popen(
            [*self.prefix, str(self.binaries / "postgres"), "-D", str(self.folder / "data")], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", cwd=self.folder)
        is_ready = threading.Event()
        threading.Thread(target=self.read, args=(self.process.stderr, is_ready), daemon=True).start()
        while not is_ready.wait(0.05):
            if self.process.poll() is not None:
                sys.exit(f"the server ended with {self.process.returncode}: {''.join(self.log)}")

    def read(self, stream, is_ready):
        for line in stream:
            self.log.append(line)
            if "ready to accept connections" in line:
                is_ready.set()

    def end(self, how):
        if not self.process:
            return
        # Frozen ones take no signal.
        self.signal_all(signal.SIGCONT)
        self.process.send_signal(how)
        self.process.wait()
        self.process = None

    def signal_all(self, number):
        """To the server and to the processes that it has started."""
        if not self.process:
            return
        main = self.process.pid
        children = pathlib.Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii").split()
        for process in [main, *map(int, children)]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def obey(self, command):
        match command:
            case "start": self.start()
            case "stop": self.end(signal.SIGINT)
            case "crash": self.end(signal.SIGQUIT)
            case "freeze": self.signal_all(signal.SIGSTOP)
            case "thaw": self.signal_all(signal.SIGCONT)
            case _: return {"unknown": command}
        return {"done": command}

    def remove(self):
        self.end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def say(answer):
    print(json.dumps(answer), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--available", action="store_true")
    parser.add_argument("--password", default="")
    parser.add_argument("--tcp", action="store_true")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--durable", action="store_true")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    arguments.tcp |= arguments.tls
    if arguments.available:
        try:
            programs()
            prefix()
        except serve.Missing as missing:
            sys.exit(f"missing: {missing}")
        return
    try:
        server = Server(arguments)
    except serve.Missing as missing:
        say({"missing": str(missing)})
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        server.initialize()
        server.start()
        say(server.answer)
        for line in sys.stdin:
            say(server.obey(line.strip()))
    finally:
        server.remove()


if __name__ == "__main__":
    main()
