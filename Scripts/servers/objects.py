"""A small S3 over a folder, for speed: what benchmarks measure their clients against, because the servers that can be installed are
slower.

    objects.py FOLDER [--processes NUMBER]

Keys are paths below FOLDER/BUCKET. It gets, whole and in ranges, puts with conditions, removes, and lists in pages of a thousand;
it verifies no signature and keeps no checksum. Files leave by sendfile(2), from several processes. It listens on the loopback, at
a port that the system chooses, prints one JSON line as serve.py does, and ends with its standard input.
"""

import argparse
import bisect
import email.utils
import fcntl
import json
import mmap
import os
import pathlib
import signal
import socket
import struct
import sys
import threading
import time
import urllib.parse
import xml.sax.saxutils

BUCKET = "bucket"
REASONS = {
    200: "OK", 204: "No Content", 206: "Partial Content", 304: "Not Modified", 404: "Not Found", 405: "Method Not Allowed",
    412: "Precondition Failed", 416: "Range Not Satisfiable", 501: "Not Implemented"}
CODES = {404: "NoSuchKey", 405: "MethodNotAllowed", 412: "PreconditionFailed", 416: "InvalidRange", 501: "NotImplemented"}
PAGE = 1000


class Closed(Exception):
    pass


class Changes:
    """How often something was written, known to all processes: until then a listing stays what it was."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 8)

    def count(self) -> int:
        return struct.unpack("<Q", self.memory[:8])[0]

    def add(self) -> None:
        self.memory[:8] = struct.pack("<Q", self.count() + 1)


def version(attributes: os.stat_result) -> str:
    """An ETag that nobody takes for a digest."""
    return f'"{attributes.st_mtime_ns:x}-{attributes.st_ino:x}-{attributes.st_size:x}"'


class Request:
    def __init__(self, head: str) -> None:
        line, *headers = head.split("\r\n")
        self.method, target, _ = line.split(" ")
        self.headers = {name.lower(): value.strip() for name, _, value in (header.partition(":") for header in headers)}
        path, _, query = target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.bucket, _, self.key = urllib.parse.unquote(path).lstrip("/").partition("/")


class Server:
    def __init__(self, root: pathlib.Path) -> None:
        self.root = os.fspath(root)
        self.changes = Changes()
        self.listed: tuple[int, str, list[str]] | None = None
        self.lock = threading.Lock()

    # A connection

    def serve(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        rest = b""
        try:
            while True:
                while b"\r\n\r\n" not in rest:
                    more = connection.recv(65536)
                    if not more:
                        return
                    rest += more
                head, _, rest = rest.partition(b"\r\n\r\n")
                request = Request(head.decode("latin-1"))
                rest = self.answer(connection, request, rest)
        except (Closed, OSError):
            pass
        finally:
            connection.close()

    def answer(self, connection: socket.socket, request: Request, rest: bytes) -> bytes:
        """What came behind the request."""
        length = int(request.headers.get("content-length", 0))
        if request.headers.get("expect"):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body, rest = self.body(connection, length, rest)
        path = os.path.join(self.root, request.bucket, request.key)
        if ".." in request.key.split("/"):
            self.fail(connection, 404)
        elif request.key == "" and request.method in ("GET", "HEAD", "PUT"):
            self.answer_bucket(connection, request)
        elif request.method in ("GET", "HEAD"):
            self.get(connection, request, path)
        elif request.method == "PUT":
            self.put(connection, request, path, body)
        elif request.method == "DELETE":
            if os.path.isfile(path):
                os.unlink(path)
                self.changes.add()
            self.send(connection, 204)
        else:
            self.fail(connection, 405)
        return rest

    def body(self, connection: socket.socket, length: int, rest: bytes) -> tuple[bytes, bytes]:
        parts, have = [rest], len(rest)
        while have < length:
            more = connection.recv(min(1 << 20, length - have))
            if not more:
                raise Closed
            parts.append(more)
            have += len(more)
        whole = b"".join(parts)
        return whole[:length], whole[length:]

    def send(
        self, connection: socket.socket, status: int, content: bytes = b"", length: int | None = None, goes_on: bool = False,
        **headers: str
    ) -> None:
        lines = [f"HTTP/1.1 {status} {REASONS[status]}", f"Content-Length: {len(content) if length is None else length}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        # What follows goes into the same packet.
        connection.sendall(head + content, socket.MSG_MORE if goes_on else 0)

    def fail(self, connection: socket.socket, status: int, with_body: bool = True) -> None:
        text = f"<?xml version=\"1.0\"?><Error><Code>{CODES.get(status, 'Error')}</Code><Message/></Error>".encode()
        self.send(connection, status, text if with_body else b"", Content_Type="application/xml")

    # Objects

    def get(self, connection: socket.socket, request: Request, path: str) -> None:
        is_head = request.method == "HEAD"
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError:
            return self.fail(connection, 404, not is_head)
        try:
            attributes = os.fstat(file)
            if not os.path.isfile(path):
                return self.fail(connection, 404, not is_head)
            first, last, size = 0, attributes.st_size - 1, attributes.st_size
            headers = {
                "ETag": version(attributes), "Last_Modified": email.utils.formatdate(attributes.st_mtime, usegmt=True),
                "Accept_Ranges": "bytes", "Content_Type": "application/octet-stream"}
            status = 200
            if (wanted := request.headers.get("range", "")).startswith("bytes="):
                begin, _, end = wanted[6:].partition("-")
                first, last = (int(begin), min(int(end or last), last)) if begin else (max(0, size - int(end)), last)
                if first >= size:
                    return self.fail(connection, 416, not is_head)
                status, headers["Content_Range"] = 206, f"bytes {first}-{last}/{size}"
            count = last - first + 1
            self.send(connection, status, length=count, goes_on=count > 0 and not is_head, **headers)
            while count > 0 and not is_head:
                sent = os.sendfile(connection.fileno(), file, first, count)
                if sent == 0:
                    raise Closed
                first, count = first + sent, count - sent
        finally:
            os.close(file)

    def put(self, connection: socket.socket, request: Request, path: str, body: bytes) -> None:
        if request.headers.get("x-amz-content-sha256", "").startswith("STREAMING"):
            return self.fail(connection, 501)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = os.path.join(self.root, f".incoming-{os.getpid()}-{threading.get_ident()}")
        with open(temporary, "wb") as file:
            file.write(body)
        # A condition and what it allows, as one, between all processes.
        with open(os.path.join(self.root, ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = version(os.stat(path)) if os.path.isfile(path) else None
            none, match = request.headers.get("if-none-match"), request.headers.get("if-match")
            if (none == "*" and known is not None) or (match is not None and match != known):
                os.unlink(temporary)
                return self.fail(connection, 412)
            os.rename(temporary, path)
            self.changes.add()
        self.send(connection, 200, ETag=version(os.stat(path)))

    # The bucket

    def answer_bucket(self, connection: socket.socket, request: Request) -> None:
        if request.method == "PUT":
            os.makedirs(os.path.join(self.root, request.bucket), exist_ok=True)
            self.send(connection, 200)
        elif request.method == "HEAD":
            self.send(connection, 200)
        elif "location" in request.query:
            self.send(connection, 200, b"<?xml version=\"1.0\"?><LocationConstraint/>", Content_Type="application/xml")
        else:
            self.send(connection, 200, self.listing(request), Content_Type="application/xml")

    def keys(self, bucket: str) -> list[str]:
        """All of a bucket, in the order of their bytes."""
        with self.lock:
            now = self.changes.count()
            if self.listed is None or self.listed[:2] != (now, bucket):
                top = os.path.join(self.root, bucket)
                found = [
                    os.path.join(folder, name)[len(top) + 1:] for folder, _, names in os.walk(top) for name in names]
                self.listed = (now, bucket, sorted(found, key=os.fsencode))
            return self.listed[2]

    def listing(self, request: Request) -> bytes:
        query = request.query
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        most = min(PAGE, int(query.get("max-keys", PAGE)))
        keys = self.keys(request.bucket)
        after = query.get("continuation-token") or query.get("start-after") or query.get("marker") or ""
        place = bisect.bisect_left(keys, os.fsencode(prefix), key=os.fsencode)
        if after:
            place = max(place, bisect.bisect_right(keys, os.fsencode(after), key=os.fsencode))
        items: list[str] = []
        last = ""
        escape = xml.sax.saxutils.escape
        while place < len(keys) and len(items) < most and keys[place].startswith(prefix):
            key = keys[place]
            end = key.find(delimiter, len(prefix)) if delimiter else -1
            if end >= 0:
                folder = key[:end + len(delimiter)]
                items.append(f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>")
                # All that is in it, at once.
                last = folder + "\U0010ffff"
                place = bisect.bisect_right(keys, os.fsencode(last), key=os.fsencode)
                continue
            attributes = os.stat(os.path.join(self.root, request.bucket, key))
            items.append(
                f"<Contents><Key>{escape(key)}</Key><LastModified>{iso(attributes.st_mtime)}</LastModified>"
                f"<ETag>{escape(version(attributes))}</ETag><Size>{attributes.st_size}</Size>"
                "<StorageClass>STANDARD</StorageClass></Contents>")
            last, place = key, place + 1
        is_more = place < len(keys) and keys[place].startswith(prefix)
        token = f"<NextContinuationToken>{escape(last)}</NextContinuationToken>" if is_more else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>{escape(request.bucket)}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(items)}</KeyCount>"
            f"<MaxKeys>{most}</MaxKeys><IsTruncated>{str(is_more).lower()}</IsTruncated>{token}{''.join(items)}"
            "</ListBucketResult>").encode()


def iso(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(seconds))


def work(server: Server, listening: socket.socket) -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    while True:
        connection, _ = listening.accept()
        threading.Thread(target=server.serve, args=[connection], daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    (arguments.folder / BUCKET).mkdir(parents=True, exist_ok=True)
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    server = Server(arguments.folder.resolve())
    workers = []
    for _ in range(arguments.processes):
        worker = os.fork()
        if worker == 0:
            os.close(0)
            work(server, listening)
        workers.append(worker)
    print(json.dumps({
        "address": f"http://127.0.0.1:{listening.getsockname()[1]}", "bucket": BUCKET, "region": "us-east-1",
        "accessKey": "AKIAIOSFODNN7EXAMPLE", "secretKey": "secret"}), flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        sys.stdin.read()
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGKILL)


if __name__ == "__main__":
    main()
