"""A server of HTTP that misbehaves as it is told, for clients to be tried against.

    misbehaving.py

It prints one JSON line with its address, and ends with its standard input. The first part of a path is what it does:

    echo            answers with the head of the request
    port            answers with the port that the connection comes from
    short           says a length and closes before it is reached
    reset           breaks the connection instead of an answer
    reset-body      breaks it in the middle of the body
    silent          closes without an answer
    stall           never answers
    stall-body      sends a part of the body and no more
    status-NNN      answers with that status; a second number is the header Retry-After (status-503-7)
    endless-headers, endless-line, endless-continue    a head without an end
    endless-body    a body without an end and without a length
    garbage         answers with no HTTP
    no-length       has no Content-Length
    bad-length      has a Content-Length that is no number
    whole           ignores ranges
    other-range     answers with another range than was asked for
    short-range     has a file of three bytes; the range begins at the second
    redirect-home, redirect-away, redirect-loop
    list-v1         lists names alone; each has the size 3
    list-garbage, list-null, list-negative, list-foreign
    rclone-404      says that it is rclone, and answers with 404
    lost            takes a file, and closes without an answer the first time; then it is there
    refuse-lost     refuses a file with 403, and has it with the size that was sent
    refuse-other    refuses a file with 403, and has it with another size
    xml-NAME        answers with the error NAME of S3, with its usual status
    pages           lists in pages of S3 without an end: each has the same token
    three-pages     lists in three pages of S3, with tokens that have to be encoded
    hostile         lists with a document type
    objects-NAME    is a bucket whose conditional writes are as NAME says: strict (as they should be), ignoring (does not know
                    the headers), refusing (501), rejecting (400), racing (looks and stores in two steps), lying (says that it
                    has not stored what it has), busy (has 409 for the first two), lost (stores, and closes without an answer
                    the first time), tagless (has no ETag), kept (removes nothing), late (has a later object for the first two:
                    202, as OpenStack Swift says it, and nothing is stored), down-N (has 503 for the first N requests), cut (breaks
                    the first answer with an object in its middle), torn (breaks the first request with an object in its middle),
                    slow (sends an object in pieces with pauses), whole (knows no ranges), long (sends more than was asked for),
                    short (sends less), tired (takes one request of a connection, and
                    closes it without an answer when it has read the second one). It stores nothing that has another digest than the request says, and knows ranges
    rules-NAME      is a bucket with the lifecycle rules that NAME says: none, foreign, broken, unknown (501), md5 (wants a digest of
                    MD5). What is put there is checked and stays
    listed-NAME     lists objects: foreign (names that are no keys), disorder, apart (folders and objects each in its own
                    order), repeated (a folder in two pages), outside, negative, tagless, timeless, deep, slashless, undelimited
"""

import base64
import hashlib
import itertools
import json
import socket
import struct
import sys
import threading
import time
import urllib.parse

NAME = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
STATUSES = {
    "NoSuchKey": 404, "NoSuchBucket": 404, "AccessDenied": 403, "SignatureDoesNotMatch": 403,
    "InvalidAccessKeyId": 403, "RequestTimeTooSkewed": 403, "SlowDown": 503, "InternalError": 500,
    "NotImplemented": 501, "PreconditionFailed": 412, "ConditionalRequestConflict": 409, "RequestTimeout": 400,
    "InvalidArgument": 400, "QuotaExceeded": 403, "PermanentRedirect": 301, "AuthorizationHeaderMalformed": 400, "BadDigest": 400,
    "XAmzContentSHA256Mismatch": 400, "NoSuchLifecycleConfiguration": 404, "MissingContentMD5": 400, "InvalidRange": 416,
}
V2 = "application/vnd.x.restic.rest.v2"
kept = {}
torn = set()


class Closed(Exception):
    pass


def head_of(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            raise Closed
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    return head.decode("latin-1"), rest


def body_of(connection, head, rest):
    length = 0
    for line in head.split("\r\n")[1:]:
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
        if name.lower() == "expect":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    while len(rest) < length:
        more = connection.recv(65536)
        if not more:
            raise Closed
        rest += more
    return rest


def answer(status=200, body=b"", *headers, length=True, is_head=False):
    lines = [f"HTTP/1.1 {status} Said", *headers]
    if length is not None and length is not False:
        lines.append(f"Content-Length: {len(body) if length is True else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (b"" if is_head else body)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Closed


def forever(connection, first, piece):
    connection.sendall(first)
    while True:
        connection.sendall(piece)


def wait():
    time.sleep(600)
    raise Closed


def error(code, is_head):
    body = (f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>It said &lt;{code}&gt;.</Message>'
            f"<Region>eu-west-3</Region><RequestId>1</RequestId></Error>").encode()
    return answer(STATUSES[code], body, "Content-Type: application/xml", "Date: Fri, 24 May 2013 00:00:00 GMT",
                  is_head=is_head)


buckets, changing = {}, threading.Lock()


def read(connection, behavior, state, key, headers, content, is_head, *described):
    """An object, or a range of it."""
    status, size, described = 200, len(content), list(described)
    if (wanted := headers.get("range", "")).startswith("bytes=") and behavior != "whole":
        first, last = (int(part) for part in wanted[6:].split("-"))
        if first >= size:
            return error("InvalidRange", is_head)
        last = min(last, size - 1)
        described.append(f"Content-Range: bytes {first}-{last}/{size}")
        status, content = 206, content[first:last + 1]
        if behavior == "long":
            content += b"more"
        if behavior == "short":
            content = content[:-1]
    said = answer(status, content, *described, is_head=is_head)
    if is_head:
        return said
    if behavior == "cut" and not state.get(("cut", key)):
        state[("cut", key)] = True
        connection.sendall(said[:len(said) - len(content) // 2 - 1])
        raise Closed
    if behavior == "slow":
        for start in range(0, len(said), 1 << 18):
            connection.sendall(said[start:start + (1 << 18)])
            time.sleep(0.02)
        return b""
    return said


RULE = "<Rule><ID>a</ID><Filter><And><Prefix>p/</Prefix></And></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule>"
rules = {}


def lifecycle(name, method, head, body):
    """The lifecycle rules of a bucket."""
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])}
    if name == "unknown":
        return error("NotImplemented", False)
    if method == "GET":
        if name == "foreign":
            return answer(200, f"<LifecycleConfiguration>{RULE}</LifecycleConfiguration>".encode())
        if name == "broken":
            return answer(200, b"<LifecycleConfiguration><Rule>")
        return answer(200, rules[name]) if name in rules else error("NoSuchLifecycleConfiguration", False)
    if name == "md5" and "content-md5" not in headers:
        return error("MissingContentMD5", False)
    if headers.get("x-amz-checksum-sha256") != base64.b64encode(hashlib.sha256(body).digest()).decode():
        return error("BadDigest", False)
    rules[name] = body
    return answer(200)


def objects(connection, behavior, method, key, head, body, is_head):
    """One object of a bucket in memory."""
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])}
    state = buckets.setdefault(behavior, {})
    tag = lambda content: f'"{hashlib.md5(content).hexdigest()}"'
    described = lambda content: [] if behavior == "tagless" else [f"ETag: {tag(content)}"]
    time_of = "Last-Modified: Fri, 24 May 2013 00:00:00 GMT"
    with changing:
        found = state.get(key)
    if method == "DELETE":
        if behavior == "kept":
            return error("AccessDenied", False)
        with changing:
            state.pop(key, None)
        return answer(204, b"", length=None)
    if behavior.startswith("down-"):
        with changing:
            state["down"] = state.get("down", 0) + 1
            if state["down"] <= int(behavior[5:]):
                return error("SlowDown", is_head)
    if method != "PUT":
        if found is None:
            return error("NoSuchKey", is_head)
        return read(connection, behavior, state, key, headers, found, is_head, time_of, *described(found))
    said = headers.get("x-amz-content-sha256", "")
    if len(said) == 64 and hashlib.sha256(body).hexdigest() != said:
        return error("XAmzContentSHA256Mismatch", False)
    if behavior == "late":
        with changing:
            state["late"] = state.get("late", 0) + 1
            if state["late"] <= 2:
                return answer(202)
    wanted, absent = headers.get("if-match"), headers.get("if-none-match") == "*"
    if wanted or absent:
        if behavior in ("refusing", "rejecting"):
            return error("NotImplemented" if behavior == "refusing" else "InvalidArgument", False)
        if behavior == "ignoring":
            wanted, absent = None, False
        if behavior == "racing":
            is_met = found is None if absent else found is not None and tag(found) == wanted
            time.sleep(0.5)
            wanted, absent = None, False
            if not is_met:
                return error("PreconditionFailed", False)
    with changing:
        found = state.get(key)
        if wanted or absent:
            asked = state["asked"] = state.get("asked", 0) + 1
            if behavior == "busy" and asked <= 2:
                return error("ConditionalRequestConflict", False)
        if absent and found is not None or wanted and found is None or wanted and tag(found) != wanted:
            if behavior == "lying":
                state[key] = body
            return error("NoSuchKey" if wanted and found is None else "PreconditionFailed", False)
        state[key] = body
        if behavior == "lost" and not state.get(("lost", key)):
            state[("lost", key)] = True
            raise Closed
    return answer(200, b"", *described(body))


def entry(key, size="1", tag='"a"', modified="2013-05-24T00:00:00.000Z"):
    fields = {"Key": key, "Size": size, "ETag": tag, "LastModified": modified}
    return "<Contents>" + "".join(f"<{name}>{value}</{name}>" for name, value in fields.items() if value) + "</Contents>"


def folder(prefix):
    return f"<CommonPrefixes><Prefix>{prefix}</Prefix></CommonPrefixes>"


LISTS = {
    "foreign": [entry("p/../up") + entry("p//b") + entry("p/&#1;") + entry("p/dir/") + entry("p/" + "x" * 1100)
                + entry("p/good") + folder("p//") + folder("p/../")],
    "disorder": [entry("p/b"), entry("p/a")],
    "apart": [entry("p/c") + entry("p/a.") + entry("p/a0") + folder("p/b/") + folder("p/a/")],
    "repeated": [entry("p/a") + folder("p/b/"), folder("p/b/") + entry("p/c")],
    "outside": [entry("other/a")],
    "negative": [entry("p/a", size="-1")],
    "tagless": [entry("p/a", tag="")],
    "timeless": [entry("p/a", modified="yesterday")],
    "deep": [folder("p/a/b/")],
    "slashless": [folder("p/a")],
    "undelimited": [folder("p/a/")],
}


def pages(name, path):
    """A page of a list; its number is the token."""
    asked = urllib.parse.parse_qs(path.partition("?")[2]).get("continuation-token", ["0"])[0]
    number = int(asked)
    more = f"<IsTruncated>true</IsTruncated><NextContinuationToken>{number + 1}</NextContinuationToken>" \
        if number + 1 < len(LISTS[name]) else "<IsTruncated>false</IsTruncated>"
    return answer(200, f"<ListBucketResult>{LISTS[name][number]}{more}</ListBucketResult>".encode())


def listed(entries):
    return answer(200, json.dumps(entries).encode(), "Content-Type: " + V2)


def respond(connection, port, head, body):
    """The bytes of the answer."""
    method, path, _ = head.split(" ", 2)
    behavior, _, rest = path.lstrip("/").partition("/")
    is_head = method == "HEAD"
    say = lambda *parts, **options: answer(*parts, is_head=is_head, **options)
    kind, _, argument = behavior.partition("-")
    if behavior == "port":
        return say(200, str(connection.getpeername()[1]).encode())
    if behavior == "echo":
        return say(200, head.encode("latin-1"))
    if kind == "status":
        status, _, pause = argument.partition("-")
        return say(int(status), b"It said so.\n", *([f"Retry-After: {pause}"] if pause else []))
    if kind == "objects":
        return objects(connection, argument, method, rest, head, body, is_head)
    if kind == "rules":
        return lifecycle(argument, method, head, body)
    if kind == "listed":
        return pages(argument, path)
    if kind == "xml":
        return error(argument, is_head)
    if behavior == "short":
        connection.sendall(say(200, b"abc", length=100))
        raise Closed
    if behavior == "reset":
        reset(connection)
    if behavior == "reset-body":
        connection.sendall(say(200, b"abc", length=100))
        time.sleep(0.2)
        reset(connection)
    if behavior == "silent":
        raise Closed
    if behavior == "stall":
        wait()
    if behavior == "stall-body":
        connection.sendall(say(200, b"abc", length=100))
        wait()
    if behavior == "endless-headers":
        forever(connection, b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"a" * 1000 + b"\r\n")
    if behavior == "endless-line":
        forever(connection, b"HTTP/1.1 200 OK\r\nX-More: ", b"a" * 1000)
    if behavior == "endless-continue":
        forever(connection, b"", b"HTTP/1.1 100 Continue\r\n\r\n")
    if behavior == "endless-body":
        forever(connection, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"[" * 65536)
    if behavior == "garbage":
        connection.sendall(b"220 mail.example.org ESMTP\r\n")
        raise Closed
    if behavior == "no-length":
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + (b"" if is_head else b"abc"))
        raise Closed
    if behavior == "bad-length":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\nConnection: close\r\n\r\nabc")
        raise Closed
    if behavior == "whole":
        return say(200, b"0123456789")
    if behavior == "other-range":
        return say(206, b"3456", "Content-Range: bytes 3-6/10")
    if behavior == "short-range":
        return say(206, b"12", "Content-Range: bytes 1-2/3")
    if behavior == "redirect-home":
        return say(307, b"", f"Location: /echo/{rest}")
    if behavior == "redirect-away":
        return say(307, b"", f"Location: http://localhost:{port}/echo/{rest}")
    if behavior == "redirect-loop":
        return say(307, b"", f"Location: {path}")
    if behavior == "list-v1":
        if is_head:
            return answer(200, length=3)
        return say(200, json.dumps([NAME, "a-tmp-1", NAME[:-1] + "0"]).encode(), "Content-Type: application/json")
    if behavior == "list-garbage":
        return say(200, b'[{"name":"' + NAME.encode() + b'","size":3},{]')
    if behavior == "list-null":
        return say(200, b"null\n")
    if behavior == "list-negative":
        return listed([{"name": NAME, "size": -1}])
    if behavior == "list-foreign":
        return listed([{"name": "x" * 64, "size": 1}, {"name": NAME.upper(), "size": 1}, {"name": NAME + "-tmp-1"},
                       {"other": [1, {"]": "}"}], "size": 3, "name": NAME}])
    if behavior == "rclone-404":
        return say(404, b"Not Found\n", "Server: rclone/v1.60.1")
    if behavior in ("lost", "refuse-lost", "refuse-other"):
        if method == "POST":
            first = path not in kept
            kept[path] = body
            if behavior != "lost":
                return say(403, b"Forbidden\n")
            if first:
                raise Closed
            return say(200)
        if path not in kept:
            return say(404, b"Not Found\n")
        return say(200, kept[path] + (b"x" if behavior == "refuse-other" else b""))
    if behavior == "pages":
        return say(200, ("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>"
                         f"<Contents><Key>data/ba/{NAME}</Key><Size>3</Size></Contents></ListBucketResult>").encode())
    if behavior == "three-pages":
        tokens = ["", "a+b/c==", "a b&c"]
        asked = urllib.parse.parse_qs(path.partition("?")[2]).get("continuation-token", [""])[0]
        if asked not in tokens:
            return error("InternalError", is_head)
        number = tokens.index(asked)
        name = NAME[:-1] + str(number)
        more = f"<IsTruncated>true</IsTruncated><NextContinuationToken>{tokens[number + 1].replace('&', '&amp;')}" \
            "</NextContinuationToken>" if number < 2 else "<IsTruncated>false</IsTruncated>"
        return say(200, ('<?xml version="1.0" encoding="UTF-8"?>\n<!-- a list --><s3:ListBucketResult xmlns:s3="urn:a">'
                         f"<s3:Contents><s3:Key>data/{name[:2]}/{name}</s3:Key><s3:Size>{number}</s3:Size>"
                         "<s3:Owner><s3:ID>1</s3:ID></s3:Owner></s3:Contents>"
                         f"<s3:Contents><s3:Key>data/00/{name}</s3:Key><s3:Size>1</s3:Size></s3:Contents>"
                         f"<s3:Contents><s3:Key>data/{name[:2]}/{name}.tmp</s3:Key><s3:Size/></s3:Contents>"
                         f"{more}</s3:ListBucketResult>").encode())
    if behavior == "hostile":
        return say(200, b'<!DOCTYPE a [<!ENTITY b "cccc">]><ListBucketResult>&b;</ListBucketResult>')
    return say(404, b"Not Found\n")


def serve(connection, port):
    with connection:
        try:
            for number in itertools.count():
                head, rest = head_of(connection)
                method, path, _ = head.split(" ", 2)
                if method == "PUT" and path.startswith("/objects-torn/") and path not in torn:
                    torn.add(path)
                    connection.recv(65536)
                    reset(connection)
                body = body_of(connection, head, rest)
                if number and path.startswith("/objects-tired/"):
                    raise Closed
                connection.sendall(respond(connection, port, head, body))
        except (Closed, OSError):
            pass


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    port = listener.getsockname()[1]
    print(json.dumps({"address": f"http://127.0.0.1:{port}"}), flush=True)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, port), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
