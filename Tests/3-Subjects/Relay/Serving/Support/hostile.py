"""Clients that do harm. Each scenario also looks whether others are served meanwhile."""

import os
import resource
import socket
import ssl
import struct
import sys
import threading
import time

from xftp import *


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def breaks(connection, data, seconds=10, pieces=1):
    """Whether the relay ends the connection over what it is sent."""
    try:
        for _ in range(pieces):
            connection.socket.sendall(data)
        connection.socket.settimeout(seconds)
        while connection.socket.recv(1 << 16):
            pass
        return True
    except (TimeoutError, socket.timeout):
        return False
    except OSError:
        return True


def floods(port, fingerprint):
    """Frames that cost nothing to send."""
    other = Client(port, fingerprint)
    flood = {
        "PING": frame(6, payload=bytes(8)),
        "SETTINGS": frame(4),
        "PRIORITY": frame(2, 0, 3, struct.pack(">IB", 0, 1)),
        "unknown": frame(0x55, payload=b"x" * 100),
        "SETTINGS ACK": frame(4, 1),
        "WINDOW_UPDATE": frame(8, 0, 0, struct.pack(">I", 1)),
        "GOAWAY": frame(7, payload=bytes(8)),
    }
    for name, bytes_ in flood.items():
        client = Client(port, fingerprint)
        assert breaks(client, bytes_ * (90000 if name == "WINDOW_UPDATE" else 150)), name
        other.ping()
    # Floods on a stream, and of streams.
    for name in ("empty DATA", "padded DATA", "RST_STREAM", "small DATA", "CONTINUATION", "empty HEADERS"):
        client = Client(port, fingerprint)
        lines = client.http.encoder.encode(
            [(":method", "POST"), (":path", "/"), (":scheme", "https"), (":authority", "x")]
        )
        start = frame(1, 4, 5, lines)
        bytes_ = {
            "empty DATA": start + frame(0, 0, 5) * 150,
            "padded DATA": start + frame(0, 8, 5, b"\xff" + bytes(255) + b"x") * 6000,
            "small DATA": start + frame(0, 0, 5, b"x") * 6000,
            "RST_STREAM": b"".join(frame(1, 4, id, lines) + frame(3, 0, id, bytes(4)) for id in range(5, 405, 2)),
            "CONTINUATION": frame(1, 0, 5, lines) + frame(9, 0, 5) * 150,
            "empty HEADERS": frame(1, 0, 5) + frame(9, 0, 5, b"\x82") * 150,
        }[name]
        assert breaks(client, bytes_), name
        other.ping()
    # More requests at once than are allowed.
    client = Client(port, fingerprint)
    many = b"".join(frame(1, 4, id, lines) for id in range(5, 305, 2))
    assert breaks(client, many)
    other.ping()


def headers(port, fingerprint):
    """Header lines beyond every measure, and what is no HTTP/2."""
    other = Client(port, fingerprint)
    for size, count in ((100_000, 1), (4000, 10), (1, 5000)):
        client = Client(port, fingerprint)
        try:
            lines = [(f"x-{number}", "v" * size) for number in range(count)]
            stream = client.open(client.block(b"PING"), lines)
            client.wait(stream)
            raise AssertionError(f"{count} lines of {size} bytes were taken")
        except (Closed, Refused):
            pass
        other.ping()
    for wrong in (
        frame(0, 0, 0, b"x"),
        frame(1, 4, 2, b"\x82"),
        frame(1, 4, 5, b"\xff" * 100),
        frame(1, 4, 5, b"\x3f" + b"\xff" * 20),
        frame(4, 0, 0, b"x" * 7),
        frame(4, 0, 0, struct.pack(">HI", 4, 0xFFFFFFFF)),
        frame(8, 0, 0, struct.pack(">I", 0)),
        frame(8, 0, 0, struct.pack(">I", 0x7FFFFFFF)) * 2,
        frame(0, 8, 5, b"\xff"),
        frame(3, 0, 9, bytes(4)),
        frame(5, 4, 5, bytes(4)),
        struct.pack(">I", 1 << 20)[1:] + bytes(6) + b"x" * (1 << 20),
        b"GET / HTTP/1.1\r\n\r\n" * 100,
    ):
        client = Client(port, fingerprint)
        assert breaks(client, wrong), wrong[:40]
        other.ping()
    # TLS with something else inside, and something else than TLS.
    raw = tls(port)
    assert breaks_raw(raw, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert breaks_raw(socket.create_connection(("127.0.0.1", port)), b"SSH-2.0-x\r\n" * 10)
    other.ping()


def tls(port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["xftp/1"])
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=10))


def breaks_raw(raw, data=b"", seconds=10):
    class Holder:
        socket = raw

    return breaks(Holder, data, seconds)


def slow(port, fingerprint):
    """Clients that take their time, where a relay gives them a second for everything."""
    other = Client(port, fingerprint)
    chunk, sender, recipient = os.urandom(4 << 20), Key(), Key()
    name, (reader,) = other.new(sender, chunk, [recipient])
    assert other.put(sender, name, chunk) == "OK"

    # No TLS, half of it, TLS and nothing else, a hello and nothing else.
    silent = socket.create_connection(("127.0.0.1", port), timeout=10)
    half = socket.create_connection(("127.0.0.1", port), timeout=10)
    half.sendall(bytes.fromhex("1603010200010001fc0303"))
    only_tls = tls(port)
    only_hello = Connection(port)
    only_hello.ask()
    # A block that does not come to its end.
    client = Client(port, fingerprint)
    stream = client.open(b"x" * 1000, ends=False)
    # An upload that does not.
    unfinished, writer = Key(), Client(port, fingerprint)
    waiting, _ = writer.new(unfinished, chunk, [recipient])
    upload = writer.open(writer.block(b"FPUT", unfinished, waiting), ends=False)
    writer.send(upload, chunk[:100000], ends=False)
    # A drop now and then is no progress.
    dripping, dropper = Key(), Client(port, fingerprint)
    other_name, _ = dropper.new(dripping, chunk, [recipient])
    drip = dropper.open(dropper.block(b"FPUT", dripping, other_name), ends=False)
    for _ in range(15):
        dropper.send(drip, b"x", ends=False)
        time.sleep(0.1)
        other.ping()

    for raw in (silent, half, only_tls):
        assert breaks_raw(raw)
    try:
        while True:
            only_hello.receive()
    except Closed:
        pass
    for one, which in ((client, stream),):
        try:
            one.wait(which)
            raise AssertionError("a block without an end was answered")
        except Refused:
            pass
        one.ping()
    for one, which in ((writer, upload), (dropper, drip)):
        assert one.parse(one.wait(which)["body"])[0] == b"ERR TIMEOUT"
        one.ping()

    # A window that stays shut; the same connection goes on otherwise.
    client = Client(port, fingerprint)
    client.reads = False
    block = client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader)
    try:
        client.wait(client.open(block))
        raise AssertionError("a chunk came through a shut window")
    except Refused:
        pass
    other.ping()
    # A client that does not read its socket at all.
    client = Client(port, fingerprint)
    for _ in range(20):
        client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    time.sleep(4)
    try:
        while True:
            client.receive()
    except (Closed, TimeoutError, socket.timeout) as error:
        assert isinstance(error, Closed), "a reader that does not read was kept"
    other = Client(port, fingerprint)
    assert other.get(recipient, reader, quick=True) == len(chunk) + 16
    # Idle connections are closed with a word.
    client = Client(port, fingerprint)
    try:
        while True:
            client.receive()
    except Closed as closed:
        assert "GOAWAY 0" in str(closed) or "end" in str(closed), closed


def idle(port, fingerprint, count):
    """Many connections that do nothing, and one that works."""
    count = int(count)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count + 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    kept = [Client(port, fingerprint) for _ in range(count)]
    client = Client(port, fingerprint)
    chunk, sender, recipient = os.urandom(1 << 20), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    started = time.monotonic()
    assert client.put(sender, name, chunk) == "OK"
    assert client.get(recipient, reader, quick=True) == len(chunk) + 16
    assert time.monotonic() - started < 5
    for one in kept:
        one.ping()
    print("kept", flush=True)
    sys.stdin.readline()


def crowd(port, fingerprint, limit):
    """One more connection than is allowed is closed at once; when one goes, another may come."""
    kept = [Client(port, fingerprint) for _ in range(int(limit))]
    try:
        Client(port, fingerprint)
        raise AssertionError("there is no limit")
    except (OSError, Closed):
        pass
    kept[0].ping()
    kept.pop().close()
    time.sleep(0.3)
    Client(port, fingerprint).ping()


def neighbours(port, fingerprint, limit):
    """Another address of IPv4 is another one, also for a relay that listens on IPv6."""
    crowd(port, fingerprint, limit)
    Client(port, fingerprint, source="127.0.0.2").ping()


def hoard(port, fingerprint, stage, source):
    """A connection that comes so far and then does nothing; None where the relay has no place."""
    try:
        if stage == "connected":
            return socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
        return (Connection if stage == "tls" else Client)(port, source=source)
    except (OSError, Closed):
        return None


def siege(port, fingerprint, stage, sources, count):
    """Hosts try to take every place; others are served at once nevertheless, and what was under way goes on."""
    count, sources = int(count), sources.split(",")
    wanted = 2 * count * len(sources) + 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    worker = Client(port, fingerprint, source="127.0.0.3")
    chunk, sender, recipient = os.urandom(1 << 20), Key(), Key()
    name, (reader,) = worker.new(sender, chunk, [recipient])
    body = worker.block(b"FPUT", sender, name) + chunk
    upload = worker.open(body[:65536], ends=False)
    kept, served, longest = [], [], 0
    for _ in range(2):
        kept += [hoard(port, fingerprint, stage, source) for _ in range(count) for source in sources]
        for _ in range(3):
            started = time.monotonic()
            client = Client(port, fingerprint, source="127.0.0.2")
            client.ping()
            longest = max(longest, time.monotonic() - started)
            served.append(client)
        # Who comes later may take the places of those that are idle longer, but not while the others have not arrived.
        for client in served[-3:] if stage == "xftp" else served:
            client.ping()
    assert longest < 2, longest
    worker.send(upload, body[65536:])
    assert worker.parse(worker.wait(upload)["body"])[0] == b"OK"
    assert served[-1].get(recipient, reader) == chunk
    print(f"{longest:.3f} s", flush=True)


def ended(connection):
    """Whether the relay ended a connection, which it does within a moment or not at all."""
    connection = getattr(connection, "socket", connection)
    connection.settimeout(1)
    try:
        while connection.recv(1 << 16):
            pass
        return True
    except (TimeoutError, socket.timeout):
        return False
    except OSError:
        return True


def order(port, fingerprint):
    """Who makes room first, with four places: handshakes that take long, then who is idle longest, and nobody at work."""
    first, second = Client(port, fingerprint), Client(port, fingerprint)
    worker = Client(port, fingerprint)
    sender, chunk = Key(), os.urandom(65536)
    name, _ = worker.new(sender, chunk, [Key()])
    body = worker.block(b"FPUT", sender, name) + chunk
    upload = worker.open(body[:20000], ends=False)
    silent = hoard(port, fingerprint, "connected", "127.0.0.2")
    time.sleep(0.2)
    first.ping()
    third = Client(port, fingerprint)
    assert ended(silent), "a handshake that takes long gives way first"
    fourth = Client(port, fingerprint, source="127.0.0.2")
    assert ended(second), "who is idle longest gives way next"
    first.ping()
    fifth = Client(port, fingerprint, source="127.0.0.2")
    assert ended(third)
    # All that are left are at work.
    streams = []
    for client in (first, fourth, fifth):
        client.ping()
        streams.append(client.open(client.block(b"PING"), ends=False))
    time.sleep(0.2)
    assert hoard(port, fingerprint, "xftp", "127.0.0.2") is None, "nobody at work gives way"
    for client, stream in zip((first, fourth, fifth), streams):
        client.http.end_stream(stream)
        client.flush()
        assert client.parse(client.wait(stream)["body"])[0] == b"PONG"
    worker.send(upload, body[20000:])
    assert worker.parse(worker.wait(upload)["body"])[0] == b"OK"


def hoarders(port, fingerprint, count):
    """Clients that let the relay hold as much as they can: downloads that they do not read, uploads that wait."""
    first = Client(port, fingerprint)
    chunk, sender, recipient = os.urandom(4 << 20), Key(), Key()
    name, (reader,) = first.new(sender, chunk, [recipient])
    assert first.put(sender, name, chunk) == "OK"
    kept = []
    for _ in range(int(count)):
        client = Client(port, fingerprint, settings={4: 1 << 24})
        get = client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader)
        try:
            for _ in range(40):
                client.open(get)
            for _ in range(40):
                client.open(b"x" * 16000, ends=False)
        except (Closed, Refused, h2.exceptions.H2Error, TimeoutError):
            pass
        kept.append(client)
    started = time.monotonic()
    assert first.get(recipient, reader, quick=True) == len(chunk) + 16
    print(f"{time.monotonic() - started:.2f}", flush=True)
    sys.stdin.readline()


def several(port, fingerprint, count):
    """Many connections from here, all of which are served."""
    kept = [Client(port, fingerprint) for _ in range(int(count))]
    for one in kept:
        one.ping()


def stored(client, size):
    """A chunk on the relay: its recipient's key and name, and its bytes."""
    chunk, sender, recipient = os.urandom(size), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    assert client.put(sender, name, chunk) == "OK"
    return recipient, reader, chunk


def unreadable(port, fingerprint):
    """Downloads of a chunk that the relay's disk does not give."""
    client = Client(port, fingerprint)
    recipient, reader, _ = stored(client, 65536)
    print("stored", flush=True)
    sys.stdin.readline()
    for _ in range(5):
        try:
            assert str(client.get(recipient, reader)).startswith("ERR")
        except Refused:
            pass
    client.ping()


def stuck(port, fingerprint):
    """A client that asks for much and reads nothing."""
    client = Client(port, fingerprint, settings={4: 1 << 24})
    recipient, reader, _ = stored(client, 4 << 20)
    for _ in range(20):
        client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    time.sleep(8)
    client.socket.close()


def turns(port, fingerprint, most):
    """More transfers at once than are allowed."""
    client = Client(port, fingerprint)
    recipient, reader, chunk = stored(client, 1 << 20)
    client.reads = False  # so that the first ones do not end
    gets = [client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader)) for _ in range(9)]
    started = lambda: [get for get in gets if client.answers[get]["headers"]]
    while len(started()) < int(most):
        client.receive()
    # Other commands go on.
    client.ping()
    time.sleep(0.3)
    client.ping()
    assert len(started()) == int(most), started()
    print("held", flush=True)
    sys.stdin.readline()
    client.reads = True
    for get in started():
        client.http.acknowledge_received_data(len(client.answers[get]["body"]), get)
    client.flush()
    for get in gets:
        assert len(client.wait(get)["body"]) == BLOCK + len(chunk) + 16

    # Uploads: the third is refused, and taken later.
    names = []
    for _ in range(int(most) + 1):
        sender = Key()
        names.append((sender, client.new(sender, chunk, [Key()])[0]))
    puts = [client.open(client.block(b"FPUT", sender, name), ends=False) for sender, name in names]
    try:
        client.wait(puts[-1])
        raise AssertionError("one upload too many")
    except Refused as refused:
        assert refused.args[0] == h2.errors.ErrorCodes.REFUSED_STREAM, refused
    for put in puts[:-1]:
        client.send(put, chunk)
        assert client.parse(client.wait(put)["body"])[0] == b"OK"
    assert client.put(*names[-1], chunk) == "OK"


def say(line):
    """Tells the test, and waits until it has looked."""
    print(line, flush=True)
    sys.stdin.readline()


def busy(client):
    """Has the relay register a chunk. When its clock is held the thread that does it stops."""
    sender = Key()
    client.open(client.block(client.registration(sender, bytes(65536), [Key()]), sender))
    say("busy")


def begun(client, recipient, reader):
    """A download whose beginning has come."""
    stream = client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    while not client.answers[stream]["headers"]:
        client.receive()
    return stream


def reset(client, stream):
    client.http.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
    client.flush()


def given_up(port, fingerprint, count):
    """Requests that are given up before their turn, where one download is allowed, and one thread is there."""
    client, other = Client(port, fingerprint), Client(port, fingerprint)
    recipient, reader, chunk = stored(client, 1 << 20)
    client.reads = False
    begun(client, recipient, reader)
    for number in range(int(count)):
        reset(client, client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader)))
        if number % 50 == 49:
            time.sleep(1.1)
    client.ping()
    say("downloads")
    busy(other)
    client = Client.__new__(Client)
    Connection.__init__(client, port)
    client.session = Hello(client.ask()["body"]).session
    assert client.ask(pad(struct.pack(">H", 3) + bs(fingerprint)))["body"] == b""
    for number in range(int(count)):
        reset(client, client.open(client.block(b"PING")))
        if number % 50 == 49:
            time.sleep(1.1)
    say("commands")
    client.ping()


def slots(port, fingerprint):
    """One transfer is allowed, and the file of the one that was given up cannot be closed yet."""
    client, other = Client(port, fingerprint), Client(port, fingerprint)
    recipient, reader, chunk = stored(client, 1 << 20)
    sender = Key()
    name, _ = client.new(sender, chunk, [Key()])
    put = client.open(client.block(b"FPUT", sender, name), ends=False)
    client.send(put, chunk[:100000], ends=False)
    say("storing")
    busy(other)
    reset(client, put)
    put = client.open(client.block(b"FPUT", sender, name), ends=False)
    try:
        client.wait(put)
        raise AssertionError("the file of the first upload is still open")
    except Refused as refused:
        assert refused.args[0] == h2.errors.ErrorCodes.REFUSED_STREAM, refused
    say("refused")
    assert client.put(sender, name, chunk) == "OK"

    client.reads = False
    get = begun(client, recipient, reader)
    client.ping()
    say("sending")
    busy(other)
    reset(client, get)
    client.reads = True
    get = client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    say("waiting")
    assert len(client.wait(get)["body"]) == BLOCK + len(chunk) + 16


def refusals(port, fingerprint, count):
    """Uploads beyond the one that is allowed: they are refused so slowly that the official client bears it."""
    client = Client(port, fingerprint)
    chunk, names = os.urandom(65536), []
    for _ in range(int(count) + 1):
        sender = Key()
        names.append((sender, client.new(sender, chunk, [Key()])[0]))
    put = lambda sender, name: client.open(client.block(b"FPUT", sender, name), ends=False)
    first = put(*names[0])
    started = time.monotonic()
    puts = [put(*one) for one in names[1:]]
    # What still comes on them changes nothing.
    client.send(puts[-1], chunk[:30000], ends=False)
    client.http.send_headers(puts[-1], [("x-trailer", "1")], end_stream=True)
    client.flush()
    client.ping()
    assert len(client.reset_times) < len(puts)
    say("refusing")
    for one in puts:
        try:
            client.wait(one)
            raise AssertionError("one upload too many")
        except Refused as refused:
            assert refused.args[0] == h2.errors.ErrorCodes.REFUSED_STREAM, refused
    times = client.reset_times
    assert len(times) == len(puts) and times[0] - started < 1, times
    # Counted from the start: who is busy gets some of them late, and the next ones soon after.
    assert all(one - started > number // 4 for number, one in enumerate(times)), [one - started for one in times]
    # What had been on its way for long, with all those since.
    client.socket.sendall(frame(0, 0, puts[0], b"x" * 100))
    client.ping()
    client.send(first, chunk)
    assert client.parse(client.wait(first)["body"])[0] == b"OK"
    assert client.put(*names[1], chunk) == "OK"
    # A relay that stops does not take its time.
    held = begun(client, *stored(client, 65536)[:2])
    puts = [put(*one) for one in names[2:]]
    client.wait(held)
    say("stopping")
    try:
        while True:
            client.receive()
    except Closed as closed:
        assert "GOAWAY" in str(closed), closed
    assert all(client.answers[one]["reset"] is not None for one in puts)


def changes_of_mind(port, fingerprint, count):
    """A client that gives up many downloads in a row goes on with others."""
    client = Client(port, fingerprint)
    recipient, reader, chunk = stored(client, 1 << 20)
    for number in range(int(count)):
        client.reads = False
        get = begun(client, recipient, reader)
        while len(client.answers[get]["body"]) < 65535:  # h2 answers to what comes late by further resets
            client.receive()
        reset(client, get)
        client.reads = True
        if number % 10 == 0:
            client.ping()
    assert client.get(recipient, reader, quick=True) == len(chunk) + 16


def steady(port, fingerprint, rate, seconds):
    """Lines that are slow, and always move: one chunk goes up, another comes down."""
    client, other = Client(port, fingerprint), Client(port, fingerprint)
    recipient, reader, chunk = stored(client, 65536)
    sender = Key()
    name, _ = other.new(sender, chunk, [Key()])
    put = other.open(other.block(b"FPUT", sender, name), ends=False)
    slow_reader = Client(port, fingerprint, settings={4: BLOCK})
    slow_reader.reads = False
    get = begun(slow_reader, recipient, reader)
    started, moved = time.monotonic(), 0
    while time.monotonic() - started < float(seconds):
        more = int((time.monotonic() - started) * float(rate)) - moved
        if more >= 256:
            other.send(put, chunk[moved : moved + more], ends=False)
            slow_reader.http.increment_flow_control_window(more, get)
            slow_reader.flush()
            moved += more
        time.sleep(0.05)
    assert moved < len(chunk)
    other.send(put, chunk[moved:])
    assert other.parse(other.wait(put)["body"])[0] == b"OK"
    slow_reader.http.increment_flow_control_window(1 << 20, get)
    slow_reader.flush()
    assert len(slow_reader.wait(get)["body"]) == BLOCK + len(chunk) + 16


def padding(port, fingerprint, rate, seconds):
    """Bytes of a body in frames full of padding, as many as are no flood, while the store does not take them."""
    client, other = Client(port, fingerprint), Client(port, fingerprint)
    chunk, sender = os.urandom(65536), Key()
    name, _ = client.new(sender, chunk, [Key()])
    say("ready")
    busy(other)
    put = client.open(client.block(b"FPUT", sender, name), ends=False)
    started, sent = time.monotonic(), 0
    while time.monotonic() - started < float(seconds):
        while sent < (time.monotonic() - started) * int(rate):
            while client.http.local_flow_control_window(put) < 300:
                client.flush()  # before an answer to it is waited for
                client.receive()
            client.http.send_data(put, chunk[sent : sent + 1], pad_length=255)
            sent += 1
        client.flush()
        time.sleep(0.02)
    assert sent > int(rate)
    say(str(sent))
    client.send(put, chunk[sent:])
    assert client.parse(client.wait(put)["body"])[0] == b"OK"


def churn(port, fingerprint, count):
    """Chunks that come and go without end: each makes the log longer."""
    client = Client(port, fingerprint)
    chunk, sender, recipient = bytes(65536), Key(), Key()
    for _ in range(int(count)):
        names = client.new(sender, chunk, [recipient] * 255)
        if isinstance(names, str):
            assert names == "ERR QUOTA"
            time.sleep(0.1)
        else:
            assert client.command(b"FDEL", sender, names[0]) == b"OK"


def load(port, fingerprint, connections, rounds):
    """Uploads and downloads on several connections at once."""
    failures = []

    def work():
        try:
            client = Client(port, fingerprint)
            for _ in range(int(rounds)):
                chunk, sender, recipient = os.urandom(1 << 20), Key(), Key()
                name, (reader,) = client.new(sender, chunk, [recipient])
                assert client.put(sender, name, chunk) == "OK"
                assert client.get(recipient, reader, quick=True) == len(chunk) + 16
                assert client.command(b"FDEL", sender, name) == b"OK"
            client.close()
        except BaseException as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=work) for _ in range(int(connections))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def aborts(port, fingerprint):
    """Clients that go in the middle of things leave nothing behind."""
    chunk, sender, recipient = os.urandom(1 << 20), Key(), Key()
    client = Client(port, fingerprint)
    name, (reader,) = client.new(sender, chunk, [recipient])
    for size in (0, 1, 5000, 65536, 500000, (1 << 20) - 1):
        one = Client(port, fingerprint)
        stream = one.open(one.block(b"FPUT", sender, name), ends=False)
        one.send(stream, chunk[:size], ends=False)
        if size % 2:
            one.http.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
            one.flush()
            one.ping()
        one.socket.close()
    assert client.get(recipient, reader) == "ERR NO_FILE"
    assert client.put(sender, name, chunk) == "OK"
    for _ in range(5):
        one = Client(port, fingerprint)
        stream = one.open(one.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
        one.receive()
        one.socket.close()
    assert client.get(recipient, reader, quick=True) == len(chunk) + 16
    assert client.command(b"FDEL", sender, name) == b"OK"


def leave(port, fingerprint):
    """A download that goes on while the relay stops, for as long as it may."""
    client = Client(port, fingerprint)
    chunk, sender, recipient = os.urandom(4 << 20), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    assert client.put(sender, name, chunk) == "OK"
    idle = Client(port, fingerprint)
    stream = client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    while len(client.answers[stream]["body"]) < 100000:
        client.receive()
    print("reading", flush=True)
    sys.stdin.readline()
    assert len(client.wait(stream)["body"]) == BLOCK + len(chunk) + 16
    try:
        while True:
            client.receive()
    except Closed as closed:
        assert "GOAWAY" in str(closed), closed
    try:
        while True:
            idle.receive()
    except Closed:
        pass
    try:
        Connection(port)
        raise AssertionError("it still listens")
    except (OSError, Closed):
        pass
