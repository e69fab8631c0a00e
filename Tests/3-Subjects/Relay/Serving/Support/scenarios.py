"""What the tests of the relay do to it: scenarios.py NAME PORT FINGERPRINT-HEX [ARGUMENT...]. Fails by exit status."""

import json
import os
import pathlib
import re
import struct
import sys
import threading
import time

from xftp import *

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures"


def transfer(port, fingerprint):
    """One chunk, from its registration to its end."""
    client = Client(port, fingerprint)
    chunk = os.urandom(65536)
    sender, first, second, third = Key(), Key(), Key(), Key()
    name, (one, two) = client.new(sender, chunk, [first, second])
    assert len({name, one, two}) == 3 and all(len(i) == 16 for i in (name, one, two))
    assert client.get(first, one) == "ERR NO_FILE"
    assert client.put(sender, name, chunk) == "OK"
    assert client.put(sender, name, chunk) == "OK"
    (three,) = client.add(sender, name, [third])
    for key, recipient in ((first, one), (second, two), (third, three)):
        assert client.get(key, recipient) == chunk
    assert client.command(b"FACK", first, one) == b"OK"
    assert client.command(b"FACK", first, one) == b"ERR AUTH"
    assert client.get(first, one) == "ERR AUTH"
    # Another connection knows the same names.
    other = Client(port, fingerprint)
    assert other.get(second, two) == chunk
    assert other.command(b"FDEL", sender, name) == b"OK"
    assert client.get(second, two) == "ERR AUTH"
    assert client.command(b"FDEL", sender, name) == b"ERR AUTH"
    client.close(), other.close()


def sizes(port, fingerprint):
    """Every size that relays take, several at once on a connection."""
    client = Client(port, fingerprint)
    kept = []
    for size in (65536, 262144, 1 << 20, 4 << 20):
        chunk, sender, recipient = os.urandom(size), Key(), Key()
        name, (reader,) = client.new(sender, chunk, [recipient])
        assert client.put(sender, name, chunk) == "OK"
        kept.append((size, recipient, reader))
    ephemeral = Ephemeral()
    streams = [
        (size, client.open(client.block(b"FGET " + bs(ephemeral.spki), recipient, reader)))
        for size, recipient, reader in kept * 2
    ]
    for size, stream in streams:
        assert len(client.wait(stream)["body"]) == BLOCK + size + 16


def patient(port, fingerprint):
    """A client that asks for twenty chunks at once and reads one after the other: none keeps the others from coming."""
    client = Client(port, fingerprint)
    chunk, sender, recipient = os.urandom(1 << 20), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    assert client.put(sender, name, chunk) == "OK"
    client.reads = False
    ask = lambda: client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    streams = [ask() for _ in range(20)]
    for stream in streams:
        given = 0
        while not client.answers[stream]["ended"]:
            came = len(client.answers[stream]["body"])
            if came - given >= 16384:
                client.http.increment_flow_control_window(came - given, stream)
                client.http.increment_flow_control_window(came - given)
                client.flush()
                given = came
            client.receive()
        assert len(client.answers[stream]["body"]) == BLOCK + len(chunk) + 16


def hello(port, fingerprint):
    """What the relay says before it is asked anything else."""
    client = Client(port, fingerprint)
    assert client.hello.versions == (1, 3)
    settings = client.http.remote_settings
    assert settings.max_frame_size == 32759
    assert settings.max_concurrent_streams == 100
    assert settings.initial_window_size == 1048575
    answer = client.ask(client.block(b"PING"))
    assert answer["headers"] == [(":status", "200")], answer["headers"]
    assert len(answer["body"]) == BLOCK


def handshakes(port, fingerprint):
    """What is taken for a handshake, and what is not."""

    def handshake(version, key=fingerprint, tail=b""):
        return pad(struct.pack(">H", version) + bs(key) + tail)

    connection = Connection(port)
    ping = Client.block(Fake(b"\0" * 32), b"PING")
    assert unpad(connection.ask(ping)["body"]) == b"HANDSHAKE"  # as the very first request
    session = Hello(connection.ask()["body"]).session
    for wrong in (handshake(0), handshake(4), handshake(3, b"\1" * 32), b"", b"x" * 100, handshake(3)[:-1]):
        assert unpad(connection.ask(wrong)["body"]) == b"HANDSHAKE"
    assert connection.ask(handshake(1, tail=b"more"))["body"] == b""
    fake = Fake(session)
    # Once it is accepted, another one is no command, and neither is an empty request.
    for wrong in (handshake(3), b"", b"x" * 100):
        assert Client.parse(fake, connection.ask(wrong)["body"])[:3] == (b"ERR BLOCK", b"", b"")
    assert Client.parse(fake, connection.ask(Client.block(fake, b"PING"))["body"])[0] == b"PONG"


class Fake:
    def __init__(self, session):
        self.session = session


def faults(port, fingerprint):
    """Every error that a command can have."""
    client = Client(port, fingerprint)
    chunk, sender, recipient = content(65536), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])

    def error(command, *arguments, **options):
        return client.command(command, *arguments, **options).decode(errors="replace")

    # Blocks.
    def raw(block):
        return client.parse(client.ask(block)["body"])[:3]

    good = unpad(client.block(b"PING"))
    zeros = struct.pack(">H", len(good)) + good
    assert raw(zeros + b"\0" * (BLOCK - len(zeros))) == (b"PONG", b"", b"")
    for wrong in (
        struct.pack(">H", 16383) + b"x" * 16382,
        pad(b""),
        pad(b"\0" + good[1:]),
        pad(b"\2" + good[1:]),
        pad(good + b"x"),
        client.block(b"PING", authenticator=b"x" * 10),
        client.block(b"PING")[:-1],
        b"",
    ):
        assert raw(wrong) == (b"ERR BLOCK", b"", b""), wrong[:32]
    assert raw(client.block(b"PING", session=b"\0" * 32, correlation=b"abc")) == (b"ERR SESSION", b"", b"abc")
    assert raw(client.block(b"PING", correlation=b"x" * 24)) == (b"PONG", b"", b"x" * 24)

    # Commands.
    for wrong in (b"PING ", b"PING x", b"FGET", b"FPUT x", b"FADD \0", b"FGET " + bs(sender.spki)):
        assert error(wrong, recipient, reader) == "ERR CMD SYNTAX", wrong
    for wrong in (b"PINGx", b"FOOO", b"", b"fput"):
        assert error(wrong) == "ERR CMD UNKNOWN", wrong
    assert error(b"PING", sender) == "ERR CMD HAS_AUTH"
    assert error(b"PING", authenticator=b"x" * 80) == "ERR CMD HAS_AUTH"
    assert error(b"PING", None, name) == "ERR CMD HAS_AUTH"
    for command in (b"FPUT", b"FDEL", b"FACK", b"FGET " + bs(Ephemeral().spki)):
        assert error(command, None, name) == "ERR CMD NO_AUTH"
        assert error(command, sender) == "ERR CMD NO_AUTH"

    # Registering.
    assert client.new(sender, chunk, []) == "ERR CMD SYNTAX"
    assert client.new(sender, chunk, [recipient], size=98304) == "ERR SIZE"
    assert len(client.new(sender, chunk, [recipient], digest=b"")) == 2
    command = b"FNEW " + bs(sender.spki) + struct.pack(">I", 65536) + bs(b"x" * 32) + b"\1" + bs(recipient.spki)
    assert error(command + b"0") == "ERR CMD NO_AUTH"
    assert error(command + b"0", sender, name) == "ERR CMD HAS_AUTH"
    assert error(command + b"0x", sender) == "ERR CMD SYNTAX"
    assert error(command + b"0", recipient) == "ERR AUTH"
    assert error(command + b"1" + bs(b"a password that nobody asked for"), sender)[:4] == "SIDS"

    # Who may.
    get = b"FGET " + bs(Ephemeral().spki)
    for key, entity, command in (
        (recipient, b"\0" * 16, get),
        (recipient, b"x", get),
        (sender, reader, get),
        (sender, name, get),
        (recipient, reader, b"FPUT"),
        (recipient, name, b"FDEL"),
        (recipient, name, b"FADD \1" + bs(recipient.spki)),
        (sender, reader, b"FACK"),
    ):
        assert error(command, key, entity) == "ERR AUTH", (command, entity)
    for count in (64, 80, 114):
        assert error(b"FACK", None, reader, authenticator=b"x" * count) == "ERR AUTH"
    assert error(get, recipient, reader) == "ERR NO_FILE"

    # Bodies.
    assert client.put(sender, name, b"") == "ERR SIZE"
    assert client.put(sender, name, chunk[:-1]) == "ERR SIZE"
    assert client.put(sender, name, chunk + b"x") == "ERR SIZE"
    assert client.put(sender, name, bytes(65536)) == "ERR DIGEST"
    assert client.get(recipient, reader) == "ERR NO_FILE"
    assert client.put(sender, name, chunk) == "OK"
    assert client.put(sender, name, b"") == "ERR SIZE"
    assert client.put(sender, name, chunk[:-1]) == "ERR SIZE"
    assert client.put(sender, name, bytes(65536)) == "OK"
    assert client.put(sender, name, bytes(100000)) == "OK"
    assert client.get(recipient, reader) == chunk

    # X25519, with the key of the handshake.
    exchange = Ephemeral()

    class Box:
        spki = exchange.spki

    name, (reader,) = client.new(sender, chunk, [Box])
    for correlation in (b"", b"abcde", b"y" * 24):
        authorized = bs(client.session) + bs(correlation) + bs(reader) + get
        secret = exchange.secret(client.hello.exchange)
        authenticator = seal(secret, (correlation + bytes(24))[:24], hashlib.sha512(authorized).digest())
        assert error(get, None, reader, correlation=correlation, authenticator=authenticator) == "ERR NO_FILE"
    assert error(get, None, reader, correlation=b"z", authenticator=authenticator) == "ERR AUTH"


def seal(secret, nonce, data):
    """A box: the tag, then the ciphertext."""
    key = hsalsa20(hsalsa20(secret, bytes(16)), nonce[:16])
    stream = b""
    for block in range(2):
        start = salsa_state(key, [*struct.unpack("<2I", nonce[16:]), block, 0])
        x = list(start)
        rounds(x)
        stream += struct.pack("<16I", *((a + b) & MASK for a, b in zip(x, start)))
    sealed = bytes(a ^ b for a, b in zip(data, stream[32:]))
    return Poly1305.generate_tag(stream[:32], sealed) + sealed


def replay(port, fingerprint, recording):
    """The commands of a session with the official relay, signed anew: its answers have to be ours."""
    recorded = json.loads((FIXTURES / recording).read_text())
    client = Client(port, fingerprint)
    chunks = {
        "chunk A": content(65536),
        "chunk B": content(262144),
        "65536 zero bytes": bytes(65536),
        "chunk A without its last byte": content(65536)[:-1],
        "chunk A, then 'x'": content(65536) + b"x",
        "none": b"",
    }
    session = bytes.fromhex(recorded["sessionId"])
    names = {session: client.session}

    def renamed(data):
        for theirs, ours in names.items():
            data = data.replace(theirs, ours)
        return data

    for number, command in enumerate(recorded["commands"]):
        get = lambda field: bytes.fromhex(command[field]) if field in command else None
        request = get("requestContent")
        if "authorized" in command:
            authorized, authenticator = get("authorized"), get("authenticator")
            now = renamed(authorized)
            if "signingKeySeed" in command:
                key = Key(get("signingKeySeed"))
                assert key.sign(authorized) == authenticator
                authenticator = key.sign(now)
            before, after = bs(get("authenticator")) + authorized, bs(authenticator) + now
            assert before in request
            request = request.replace(before, after)
        else:
            request = renamed(request)
        body = chunks[command["chunk"]] if "chunk" in command else b""
        answer = client.ask(pad(request) + body)["body"]
        content_, rest = unpad(answer[:BLOCK]), answer[BLOCK:]
        expected, response = get("response"), client.parse(answer)[0]
        where = (number, command["command"], command.get("note"), response[:60])
        tag = command["responseTag"]
        if tag in ("SIDS", "RIDS"):
            assert response[:5] == tag.encode() + b" " and len(response) == len(expected), where
            ours = Reader(response[5:])
            if tag == "SIDS":
                names[get("senderId")] = ours.bs()
            for theirs, mine in zip(command["recipientIds"], ours.list()):
                names[bytes.fromhex(theirs)] = mine
            assert ours.rest() == b""
        elif tag == "FILE":
            assert response[:5] == b"FILE " and len(response) == len(expected), where
            assert len(rest) == command["bodyLength"], where
            reader = Reader(response[5:])
            secret = Ephemeral(get("ephemeralPrivateKey")).secret(reader.bs())
            assert decrypt(secret, reader.take(24), rest) == chunks[command["decrypted"]], where
        else:
            # All else is the same to the byte but for names.
            assert content_ == renamed(get("responseContent")), where
            assert not rest, where


def early(port, fingerprint):
    """Refused uploads are read to their end: the connection does not hang, as the official relay's does."""
    client = Client(port, fingerprint)
    key = Key()
    for _ in range(40):
        assert client.put(key, b"x" * 16, bytes(65536)) == "ERR AUTH"
    assert client.put(key, b"x" * 16, bytes(4 << 20)) == "ERR AUTH"
    chunk, sender, recipient = os.urandom(65536), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    for _ in range(3):
        assert client.put(sender, name, bytes(1 << 20)) == "ERR SIZE"
    assert client.put(sender, name, chunk) == "OK"
    assert client.get(recipient, reader) == chunk
    # A client that stops when it is refused, as it should.
    stream = client.open(client.block(b"FPUT", key, b"x" * 16), ends=False)
    assert client.parse(client.wait(stream)["body"])[0] == b"ERR AUTH"
    client.http.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
    client.ping()
    # More than anybody has to read is given up.
    stream = client.open(client.block(b"FPUT", key, b"x" * 16), ends=False)
    client.wait(stream)
    try:
        client.answers[stream]["ended"] = False
        client.send(stream, bytes(16 << 20))
        client.wait(stream)
        raise AssertionError("16 MiB were taken")
    except Refused as refused:
        assert refused.args[0] == 0
    client.ping()


def ends(port, fingerprint):
    """Answers come when the request has ended, and bodies in any pieces."""
    client = Client(port, fingerprint)
    stream = client.open(client.block(b"PING"), ends=False)
    other = client.open(client.block(b"PING"))
    client.wait(other)
    assert not client.answers[stream]["ended"] and not client.answers[stream]["body"]
    client.http.end_stream(stream)  # an empty DATA frame
    client.flush()
    assert client.parse(client.wait(stream)["body"])[0] == b"PONG"
    # Byte for byte around the border of the block; padding; trailers.
    chunk, sender, recipient = os.urandom(65536), Key(), Key()
    name, (reader,) = client.new(sender, chunk, [recipient])
    body = client.block(b"FPUT", sender, name) + chunk
    stream = client.open(body[:16300], ends=False)
    for at in range(16300, 16500):
        client.http.send_data(stream, body[at : at + 1], pad_length=at % 7)
    client.flush()
    client.send(stream, body[16500:], ends=False)
    client.http.send_headers(stream, [("x-trailer", "1")], end_stream=True)
    client.flush()
    assert client.parse(client.wait(stream)["body"])[0] == b"OK"
    assert client.get(recipient, reader) == chunk
    # A client with a small window gets its chunk bit by bit.
    small = Client(port, fingerprint, settings={4: 1000}, window=False)
    assert small.get(recipient, reader) == chunk


def protocols(port, fingerprint):
    """By what TLS agreed on (fact sheet, 1.2)."""
    old = Connection(port, alpn=())
    fake = Fake(old.binding)
    assert Client.parse(fake, old.ask(Client.block(fake, b"PING"))["body"])[0] == b"PONG"
    web = Client(port, fingerprint, alpn=("http/1.1",))
    web.ping()
    mute = Connection(port, alpn=("h2",))
    for method in ("POST", "GET", "OPTIONS"):
        answer = mute.ask(b"", method=method)
        assert answer["body"] == b"" and answer["headers"] == [(":status", "200")]
    try:
        Connection(port, alpn=("other",))
        raise AssertionError("an unknown protocol was taken")
    except (Closed, ssl.SSLError):
        pass
    # A server name means nothing to a relay without certificates for the web.
    Client(port, fingerprint, name="localhost").ping()


def web(port, fingerprint):
    """Browsers: another certificate, cross-origin headers, a hello with a challenge."""
    from cryptography import x509

    shared = ("access-control-allow-origin", "*")
    exposed = ("access-control-expose-headers", "*")
    connection = Connection(port, alpn=("h2",), name="localhost")
    answer = connection.ask(method="OPTIONS")
    assert answer["headers"] == [
        (":status", "200"),
        shared,
        ("access-control-allow-methods", "POST, OPTIONS"),
        ("access-control-allow-headers", "*"),
        ("access-control-max-age", "86400"),
    ], answer["headers"]
    assert answer["body"] == b""
    answer = connection.ask(method="GET")
    assert answer["headers"][0] == (":status", "404")
    # Without its header it is no hello.
    answer = connection.ask()
    assert unpad(answer["body"]) == b"SESSION"
    assert answer["headers"] == [(":status", "200"), shared, exposed]
    header = [("xftp-web-hello", "1")]
    assert unpad(connection.ask(pad(b"1" + bs(b"x" * 31)), header)["body"]) == b"HANDSHAKE"
    challenge = os.urandom(32)
    hello = Hello(connection.ask(pad(b"1" + bs(challenge)), header)["body"])
    leaf = x509.load_der_x509_certificate(hello.certificates[0])
    leaf.public_key().verify(hello.proof, challenge + hello.session)
    assert hello.fingerprint == fingerprint
    assert x509.load_der_x509_certificate(connection.socket.getpeercert(True)) != leaf
    again = Hello(connection.ask(pad(b"1" + bs(challenge)), header)["body"])
    assert again.session == hello.session and again.exchange == hello.exchange
    answer = connection.ask(pad(struct.pack(">H", 3) + bs(fingerprint)), [("xftp-handshake", "1")])
    assert answer["body"] == b"" and answer["headers"] == [(":status", "200"), shared, exposed]
    fake = Fake(hello.session)
    answer = connection.ask(Client.block(fake, b"PING"))
    assert Client.parse(fake, answer["body"])[0] == b"PONG"
    assert exposed in answer["headers"]
    assert Hello(connection.ask(pad(b"0"), header)["body"]).session == hello.session
    # Native clients see nothing of that.
    Client(port, fingerprint).ping()


def quota(port, fingerprint):
    """Room for two chunks."""
    client = Client(port, fingerprint)
    kept = []
    for _ in range(3):
        chunk, sender, recipient = os.urandom(65536), Key(), Key()
        name, (reader,) = client.new(sender, chunk, [recipient])
        kept.append((sender, name, chunk))
    for sender, name, chunk in kept[:2]:
        assert client.put(sender, name, chunk) == "OK"
    sender, name, chunk = kept[2]
    for _ in range(20):
        assert client.put(sender, name, chunk) == "ERR QUOTA"
    assert client.command(b"FDEL", *kept[0][:2]) == b"OK"
    assert client.put(sender, name, chunk) == "OK"


def password(port, fingerprint):
    client = Client(port, fingerprint)
    chunk = bytes(65536)
    assert client.new(Key(), chunk, [Key()]) == "ERR AUTH"
    assert client.new(Key(), chunk, [Key()], password=b"wrong") == "ERR AUTH"
    assert len(client.new(Key(), chunk, [Key()], password=b"open sesame")) == 2


def closed(port, fingerprint):
    """No new files."""
    assert Client(port, fingerprint).new(Key(), bytes(65536), [Key()]) == "ERR AUTH"


def step(port, fingerprint):
    """Uploads a chunk, says the names, waits for a line, and says what the relay answers then."""
    clients = {version: Client(port, fingerprint, version) for version in (1, 3)}
    chunk, sender, recipient = os.urandom(65536), Key(), Key()
    name, (reader,) = clients[3].new(sender, chunk, [recipient])
    assert clients[3].put(sender, name, chunk) == "OK"
    print(reader.hex(), flush=True)
    sys.stdin.readline()
    for version, client in clients.items():
        answers = [client.get(recipient, reader), client.command(b"FDEL", sender, name).decode()]
        # A wrong signature makes no difference.
        answers.append(client.command(b"FACK", sender, reader).decode())
        print(version, *answers, sep="|", flush=True)


if __name__ == "__main__":
    from hostile import *
    from strict import *

    name, port, fingerprint = sys.argv[1:4]
    globals()[name](int(port), bytes.fromhex(fingerprint), *sys.argv[4:])
