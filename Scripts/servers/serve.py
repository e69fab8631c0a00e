"""Starts a server that repositories are kept on, for tests:

    serve.py KIND FOLDER [--append-only] [--user NAME --password TEXT] [--tls]
    serve.py KIND --available       starts nothing; fails where something is not installed

KIND is what serves:

    rclone       `rclone serve restic`
    rest-server  restic's own; get-rest-server.sh gets it where Debian has no package of it
    moto         moto's S3: it does not verify signatures
    swift        OpenStack Swift with s3api, which does; see swift.py

Both of S3 are from PyPI: get-s3-servers.sh gets them.

It listens on the loopback, at a port that the system chooses. It prints one JSON line: `address`, for S3 `bucket`,
`accessKey`, `secretKey` and `region`, with --tls `authorities`; or `missing`, what is not installed. It ends with its
standard input, so it ends with whoever started it.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "valise"
# The Python of what get-s3-servers.sh got.
S3_SERVERS = CACHE / "s3-servers/bin/python"


class Missing(Exception):
    pass


def program(name, *others):
    for place in [shutil.which(name), *others]:
        if place and os.access(place, os.X_OK):
            return str(place)
    raise Missing(name)


def python_with(*modules):
    """A Python that has these modules; looking for them takes no time, importing them seconds."""
    look = f"import sys, importlib.util as u; sys.exit(any(u.find_spec(m) is None for m in {modules!r}))"
    for python in [sys.executable, "python3", "/usr/bin/python3", *filter(os.path.exists, [S3_SERVERS])]:
        # Not here, where a file has the name of one of them.
        if subprocess.run([python, "-c", look], stderr=subprocess.DEVNULL, cwd="/").returncode == 0:
            return python
    raise Missing(", ".join(modules))


def free_port():
    """A port that was free a moment ago, for servers that cannot be asked which one they got."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, seconds=60):
    for _ in range(seconds * 50):
        if process.poll() is not None:
            sys.exit(f"the server ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    sys.exit("the server does not listen")


def start(*command, **options):
    options.setdefault("stdout", subprocess.DEVNULL)
    options.setdefault("stderr", subprocess.DEVNULL)
    return subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, **options)


def certificate(folder):
    """Of an authority that nobody knows, for 127.0.0.1."""
    key, pem = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", pem],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return key, pem


def rclone(arguments, folder):
    command = [program("rclone"), "serve", "restic", "--config", os.devnull, "--addr", "127.0.0.1:0"]
    if folder is None:
        return
    if arguments.append_only:
        command.append("--append-only")
    environment = dict(os.environ)
    if arguments.user:
        # Not as arguments, which everybody sees.
        environment |= {"RCLONE_USER": arguments.user, "RCLONE_PASS": arguments.password}
    if arguments.tls:
        key, pem = certificate(folder)
        command += ["--cert", pem, "--key", key]
    data = folder / "data"
    data.mkdir(exist_ok=True)
    process = start(*command, data, stderr=subprocess.PIPE, env=environment)
    for line in process.stderr:
        if found := re.search(rb"https?://127\.0\.0\.1:\d+", line):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, {"address": found[0].decode()}
    sys.exit("rclone does not say where it listens")


def rest_server(arguments, folder):
    command = [program("rest-server", CACHE / "rest-server/usr/bin/rest-server", "/usr/bin/restic-rest-server",
                       CACHE / "rest-server/usr/bin/restic-rest-server")]
    if folder is None:
        return
    port = free_port()
    command += ["--path", folder / "data", "--listen", f"127.0.0.1:{port}"]
    if arguments.append_only:
        command.append("--append-only")
    if arguments.user:
        digest = base64.b64encode(hashlib.sha1(arguments.password.encode()).digest()).decode()
        (folder / "htpasswd").write_text(f"{arguments.user}:{{SHA}}{digest}\n")
        command += ["--htpasswd-file", folder / "htpasswd"]
    else:
        command.append("--no-auth")
    if arguments.tls:
        key, pem = certificate(folder)
        command += ["--tls", "--tls-cert", pem, "--tls-key", key]
    process = start(*command)
    wait_for(port, process)
    return process, {"address": f"http{'s' if arguments.tls else ''}://127.0.0.1:{port}"}


# It looks at a condition and stores in two steps, and closes the content that is replaced while others read it: here one
# request waits for the other.
MOTO = """
import functools, threading
from moto.s3.responses import S3Response
from moto.server import main
lock = threading.RLock()
def locked(original):
    @functools.wraps(original)
    def alone(*arguments, **named):
        with lock:
            return original(*arguments, **named)
    return alone
for name in ("put_object", "delete_object", "get_object", "head_object"):
    setattr(S3Response, name, locked(getattr(S3Response, name)))
main()
"""


def moto(arguments, folder):
    python = python_with("moto", "flask", "flask_cors")
    if folder is None:
        return
    port = free_port()
    process = start(python, "-c", MOTO, "-H", "127.0.0.1", "-p", port, cwd=folder)
    wait_for(port, process)
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        urllib.request.Request(f"http://127.0.0.1:{port}/bucket", method="PUT")).close()
    return process, {"address": f"http://127.0.0.1:{port}", "bucket": "bucket", "region": "us-east-1",
                     "accessKey": "AKIAIOSFODNN7EXAMPLE", "secretKey": "secret"}


def swift(arguments, folder):
    sys.path.insert(0, str(HERE))
    import swift as openstack
    return openstack.serve(folder, start, wait_for, free_port, Missing, S3_SERVERS,
                           certificate(folder) if arguments.tls and folder else None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["rclone", "rest-server", "moto", "swift"])
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--available", action="store_true")
    parser.add_argument("--append-only", action="store_true")
    parser.add_argument("--user")
    parser.add_argument("--password", default="")
    parser.add_argument("--tls", action="store_true")
    arguments = parser.parse_args()
    make = globals()[arguments.kind.replace("-", "_")]
    if arguments.available:
        try:
            return make(arguments, None)
        except Missing as missing:
            sys.exit(f"missing: {missing}")
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        started, answer = make(arguments, folder)
    except Missing as missing:
        print(json.dumps({"missing": str(missing)}), flush=True)
        return
    processes = started if isinstance(started, list) else [started]
    if arguments.tls:
        answer["authorities"] = str(folder / "cert.pem")
    print(json.dumps(answer), flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        sys.stdin.read()
    finally:
        for process in processes:
            process.kill()


if __name__ == "__main__":
    main()
