"""A client of XFTP for tests: Python's ssl, h2 and cryptography, and what the fact sheet says. Nothing of Valise."""

import hashlib
import os
import socket
import ssl
import struct
import time

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.poly1305 import Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BLOCK = 16384


def bs(data):
    return bytes([len(data)]) + data


def pad(content):
    return struct.pack(">H", len(content)) + content + b"#" * (BLOCK - 2 - len(content))


def unpad(block):
    assert len(block) == BLOCK, len(block)
    (length,) = struct.unpack(">H", block[:2])
    return block[2 : 2 + length]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        assert self.at + count <= len(self.data), "short"
        self.at += count
        return self.data[self.at - count : self.at]

    def bs(self):
        return self.take(self.take(1)[0])

    def word(self):
        return struct.unpack(">H", self.take(2))[0]

    def list(self):
        return [self.bs() for _ in range(self.take(1)[0])]

    def rest(self):
        return self.take(len(self.data) - self.at)


class Key:
    """Ed25519."""

    def __init__(self, seed=None):
        self.private = Ed25519PrivateKey.from_private_bytes(seed or os.urandom(32))
        self.raw = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.spki = bytes.fromhex("302a300506032b6570032100") + self.raw

    def sign(self, data):
        return self.private.sign(data)


class Ephemeral:
    """X25519."""

    PREFIX = bytes.fromhex("302a300506032b656e032100")

    def __init__(self, seed=None):
        self.private = X25519PrivateKey.from_private_bytes(seed or os.urandom(32))
        self.spki = self.PREFIX + self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def secret(self, spki):
        assert spki[:12] == self.PREFIX and len(spki) == 44
        return self.private.exchange(X25519PublicKey.from_public_bytes(spki[12:]))


# XSalsa20-Poly1305 with one more HSalsa20, the tag at the end (fact sheet, 6.1).

MASK = 0xFFFFFFFF
SIGMA = struct.unpack("<4I", b"expand 32-byte k")


def rounds(x):
    def quarter(a, b, c, d):
        v = (x[a] + x[d]) & MASK
        x[b] ^= ((v << 7) | (v >> 25)) & MASK
        v = (x[b] + x[a]) & MASK
        x[c] ^= ((v << 9) | (v >> 23)) & MASK
        v = (x[c] + x[b]) & MASK
        x[d] ^= ((v << 13) | (v >> 19)) & MASK
        v = (x[d] + x[c]) & MASK
        x[a] ^= ((v << 18) | (v >> 14)) & MASK

    for _ in range(10):
        quarter(0, 4, 8, 12), quarter(5, 9, 13, 1), quarter(10, 14, 2, 6), quarter(15, 3, 7, 11)
        quarter(0, 1, 2, 3), quarter(5, 6, 7, 4), quarter(10, 11, 8, 9), quarter(15, 12, 13, 14)


def salsa_state(key, words):
    k = struct.unpack("<8I", key)
    return [SIGMA[0], *k[:4], SIGMA[1], *words, SIGMA[2], *k[4:], SIGMA[3]]


def hsalsa20(key, data):
    x = salsa_state(key, struct.unpack("<4I", data))
    rounds(x)
    return struct.pack("<8I", x[0], x[5], x[10], x[15], x[6], x[7], x[8], x[9])


def decrypt(secret, nonce, data):
    key = hsalsa20(hsalsa20(secret, bytes(16)), nonce[:16])
    stream = bytearray()
    for block in range((len(data) + 32) // 64 + 1):
        start = salsa_state(key, [*struct.unpack("<2I", nonce[16:]), block & MASK, block >> 32])
        x = list(start)
        rounds(x)
        stream += struct.pack("<16I", *((a + b) & MASK for a, b in zip(x, start)))
    content, tag = data[:-16], data[-16:]
    assert Poly1305.generate_tag(bytes(stream[:32]), content) == tag, "wrong tag"
    count = len(content)
    plain = int.from_bytes(content, "big") ^ int.from_bytes(stream[32 : 32 + count], "big")
    return plain.to_bytes(count, "big")


class Closed(Exception):
    """The relay ended the connection."""


class Refused(Exception):
    """The relay reset the stream."""


class Connection:
    """TLS and HTTP/2."""

    def __init__(self, port, alpn=("xftp/1",), name=None, settings=None, window=True, timeout=20, source=""):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if alpn:
            context.set_alpn_protocols(list(alpn))
        raw = socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(source, 0))
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(raw, server_hostname=name)
        # What CPython calls tls-unique is the client's Finished message, under TLS 1.3 too.
        self.binding = self.socket.get_channel_binding("tls-unique")
        self.http = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=True, header_encoding="utf-8", validate_inbound_headers=False)
        )
        if settings:
            self.http.local_settings = h2.settings.Settings(client=True, initial_values=settings)
        self.http.initiate_connection()
        if window:
            self.http.increment_flow_control_window(16 << 20)
        self.answers = {}
        self.reset_times = []
        self.reads = True  # give back the window of what came
        self.flush()

    def flush(self):
        data = self.http.data_to_send()
        if data:
            try:
                self.socket.sendall(data)
            except (ssl.SSLError, ConnectionError) as error:
                raise Closed(error)

    def receive(self):
        try:
            data = self.socket.recv(1 << 18)
        except ssl.SSLError as error:
            raise Closed(error)
        except ConnectionError as error:
            raise Closed(error)
        if not data:
            raise Closed("end")
        for event in self.http.receive_data(data):
            self.handle(event)
        self.flush()

    def handle(self, event):
        stream = getattr(event, "stream_id", None)
        if isinstance(event, h2.events.ResponseReceived):
            self.answers[stream]["headers"] = [(str(k), str(v)) for k, v in event.headers]
        elif isinstance(event, h2.events.DataReceived):
            self.answers[stream]["body"] += event.data
            if self.reads and event.flow_controlled_length:
                self.http.acknowledge_received_data(event.flow_controlled_length, stream)
        elif isinstance(event, h2.events.StreamEnded):
            self.answers[stream]["ended"] = True
        elif isinstance(event, h2.events.StreamReset):
            self.answers[stream]["reset"] = event.error_code
            self.reset_times.append(time.monotonic())
        elif isinstance(event, h2.events.ConnectionTerminated):
            raise Closed(f"GOAWAY {event.error_code}")

    def open(self, body=b"", headers=(), method="POST", ends=True):
        stream = self.http.get_next_available_stream_id()
        self.answers[stream] = {"headers": None, "body": b"", "ended": False, "reset": None}
        lines = [(":method", method), (":path", "/"), (":scheme", "https"), (":authority", "127.0.0.1")]
        self.http.send_headers(stream, lines + list(headers), end_stream=ends and not body)
        self.flush()
        if body:
            self.send(stream, body, ends)
        return stream

    def send(self, stream, body, ends=True):
        """As flow control allows; stops when the relay has answered and sent END_STREAM, unless asked to go on."""
        at = 0
        view = memoryview(body)
        while at < len(body):
            if self.answers[stream]["reset"] is not None:
                raise Refused(self.answers[stream]["reset"])
            room = min(self.http.local_flow_control_window(stream), self.http.max_outbound_frame_size)
            if room <= 0:
                self.receive()
                continue
            piece = view[at : at + min(room, 16384)]
            at += len(piece)
            self.http.send_data(stream, bytes(piece), end_stream=ends and at == len(body))
            self.flush()
        if not body and ends:
            self.http.end_stream(stream)
            self.flush()

    def wait(self, stream):
        answer = self.answers[stream]
        while not answer["ended"]:
            if answer["reset"] is not None:
                raise Refused(answer["reset"])
            self.receive()
        return answer

    def ask(self, body=b"", headers=(), method="POST"):
        return self.wait(self.open(body, headers, method))

    def close(self):
        try:
            self.http.close_connection()
            self.flush()
        except Closed:
            pass
        self.socket.close()


class Hello:
    def __init__(self, block):
        reader = Reader(unpad(block))
        self.versions = (reader.word(), reader.word())
        self.session = reader.bs()
        self.certificates = [reader.take(reader.word()) for _ in range(reader.take(1)[0])]
        self.key = reader.take(reader.word())
        self.proof = reader.bs()
        self.fingerprint = hashlib.sha256(self.certificates[-1]).digest()
        assert self.key[2 + (self.key[1] - 0x80 if self.key[1] & 0x80 else 0) :][:6] == bytes.fromhex("302c302a3005")
        at = self.key.index(Ephemeral.PREFIX)
        self.exchange = self.key[at : at + 44]


class Client(Connection):
    """A connection with XFTP's handshake."""

    def __init__(self, port, fingerprint=None, version=3, **options):
        super().__init__(port, **options)
        self.hello = Hello(self.ask()["body"])
        assert self.hello.session == self.binding, "the session is not bound to TLS"
        assert len(self.hello.certificates) == 2 and not self.hello.proof
        assert fingerprint is None or self.hello.fingerprint == fingerprint
        self.session = self.hello.session
        answer = self.ask(pad(struct.pack(">H", version) + bs(self.hello.fingerprint)))
        assert answer["body"] == b"", answer["body"][:64]
        assert answer["headers"] == [(":status", "200")], answer["headers"]

    def block(self, command, key=None, entity=b"", correlation=b"", session=None, authenticator=None):
        authorized = bs(self.session if session is None else session) + bs(correlation) + bs(entity) + command
        if authenticator is None:
            authenticator = key.sign(authorized) if key else b""
        transmission = bs(authenticator) + authorized
        return pad(b"\x01" + struct.pack(">H", len(transmission)) + transmission)

    def parse(self, body):
        reader = Reader(unpad(body[:BLOCK]))
        assert reader.take(1) == b"\x01"
        reader = Reader(reader.take(reader.word()))
        assert reader.bs() == b"", "an authenticator"
        session, correlation, entity = reader.bs(), reader.bs(), reader.bs()
        assert session == self.session
        return reader.rest(), entity, correlation, body[BLOCK:]

    def command(self, command, key=None, entity=b"", body=b"", **options):
        """The answer's word and parameters."""
        answer, echoed, _, rest = self.parse(self.ask(self.block(command, key, entity, **options) + body)["body"])
        assert echoed in (entity, b"")
        assert not rest, "a body"
        return answer

    def ping(self):
        assert self.command(b"PING") == b"PONG"

    def registration(self, key, chunk, recipients, password=None, size=None, digest=None):
        command = b"FNEW " + bs(key.spki) + struct.pack(">I", len(chunk) if size is None else size)
        command += bs(hashlib.sha256(chunk).digest() if digest is None else digest)
        command += bytes([len(recipients)]) + b"".join(bs(one.spki) for one in recipients)
        return command + (b"0" if password is None else b"1" + bs(password))

    def new(self, key, chunk, recipients, **options):
        answer = self.command(self.registration(key, chunk, recipients, **options), key)
        if not answer.startswith(b"SIDS "):
            return answer.decode()
        reader = Reader(answer[5:])
        return reader.bs(), reader.list()

    def add(self, key, sender, recipients):
        command = b"FADD " + bytes([len(recipients)]) + b"".join(bs(one.spki) for one in recipients)
        answer = self.command(command, key, sender)
        if not answer.startswith(b"RIDS "):
            return answer.decode()
        return Reader(answer[5:]).list()

    def put(self, key, sender, chunk):
        return self.command(b"FPUT", key, sender, chunk).decode()

    def get(self, key, recipient, ephemeral=None, quick=False):
        """The chunk, or the error."""
        ephemeral = ephemeral or Ephemeral()
        block = self.block(b"FGET " + bs(ephemeral.spki), key, recipient)
        answer, echoed, _, body = self.parse(self.ask(block)["body"])
        assert echoed == recipient
        if not answer.startswith(b"FILE "):
            return answer.decode()
        reader = Reader(answer[5:])
        spki = reader.bs()
        nonce = reader.take(24)
        assert reader.rest() == b""
        return len(body) if quick else decrypt(ephemeral.secret(spki), nonce, body)


def content(length):
    """Reproducible bytes, as in the recordings."""
    x, out = length, bytearray()
    for _ in range(length):
        x = (x * 1664525 + 1013904223) & MASK
        out.append(x >> 24)
    return bytes(out)


def eventually(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
