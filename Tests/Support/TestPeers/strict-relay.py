"""A relay as strict as the official one, for clients to be tried against. Written from the facts alone
(Documentation/formats/transfer.md, RFC 9113), with nothing of Valise in it.

    strict-relay.py FOLDER [--port N] [--algorithm ed448|ed25519] [--password TEXT] [--quota BYTES] [--no-new-files]
                    [--handlers N] [--window BYTES] [--disk-rate BYTES] [--lifetime SECONDS]

It prints one JSON line with its address, then one for each event that a test may want to know, and ends with its
standard input or by a signal. What FOLDER holds (identity, chunks, log) is there again after a restart.

What makes it strict, each as the official relay does it:

- Three handlers a connection. A handler is bound until its answer begins; a fourth request waits, and what comes of its
  body is charged to the connection meanwhile.
- One receive window of 1,048,575 bytes for the connection and for each stream. Credit comes back only as a handler reads,
  in updates of 65,535 bytes or more. What no handler read before its request ended is never given back.
- A refused upload is answered at once with END_STREAM. Its body is not read, and there is no RST_STREAM.
- More than four PING, SETTINGS, RST_STREAM, or empty frames within a second end the connection, and so does every error
  of a stream, a frame beyond a window, and more than 64 requests at a time.
- A request without END_STREAM gets no answer. Answers have `:status 200` alone, a block in two frames, and an empty DATA
  frame at their end.
- TLS 1.3 with ChaCha20-Poly1305, X448 before X25519, Ed448 and Ed25519, and nothing else.
"""

import argparse
import asyncio
import base64
import ctypes
import ctypes.util
import datetime
import hashlib
import json
import logging
import os
import pathlib
import signal
import ssl
import struct
import sys
import time

BLOCK = 16_384
WINDOW = 1_048_575
LEAST_UPDATE = 65_535
MOST_STREAMS = 64
MOST_FRAME = 32_759
MOST_A_SECOND = 4
SIZES = (65_536, 262_144, 1_048_576, 4_194_304)
PIECE = 16_384

sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
sodium.sodium_init()


# ---------------------------------------------------------------------------------------------------------------------
# Cryptography


def verifies(signature, message, public):
    return len(signature) == 64 and 0 == sodium.crypto_sign_verify_detached(
        signature, message, ctypes.c_ulonglong(len(message)), public)


def agreed_box(public, content):
    """A fresh key, a nonce, and the content encrypted with what both keys agree on, its tag at the end."""
    secret, own = os.urandom(32), ctypes.create_string_buffer(32)
    shared, key = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    sodium.crypto_scalarmult_base(own, secret)
    if sodium.crypto_scalarmult(shared, secret, public) != 0:
        raise Invalid
    sodium.crypto_core_hsalsa20(key, bytes(16), shared.raw, None)
    nonce, sealed = os.urandom(24), bytearray(len(content))
    tag = ctypes.create_string_buffer(16)
    out = (ctypes.c_char * len(sealed)).from_buffer(sealed)
    sodium.crypto_secretbox_detached(out, tag, content, ctypes.c_ulonglong(len(content)), nonce, key.raw)
    del out
    return own.raw, nonce, sealed + tag.raw


class Identity:
    """A self-signed authority and an online certificate under it, kept in a folder."""

    def __init__(self, folder, algorithm):
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ed448, ed25519
        from cryptography.hazmat.primitives.serialization import (
            Encoding, NoEncryption, PrivateFormat, load_pem_private_key)

        self.chain, self.key_file = folder / "chain.pem", folder / "key.pem"
        if not self.chain.exists():
            make = (ed448.Ed448PrivateKey if algorithm == "ed448" else ed25519.Ed25519PrivateKey).generate
            authority, online = make(), make()
            issuer = x509.Name.from_rfc4514_string("CN=SMP server CA,O=SimpleX")
            start = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)

            def certificate(name, key, is_authority):
                # Deliberately without an end that matters, as the official ones.
                builder = (
                    x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key.public_key())
                    .serial_number(x509.random_serial_number()).not_valid_before(start)
                    .not_valid_after(start + datetime.timedelta(days=36_500))
                    .add_extension(x509.BasicConstraints(is_authority, None), critical=is_authority))
                return builder.sign(authority, None)

            leaf = certificate(x509.Name.from_rfc4514_string("CN=localhost"), online, False)
            root = certificate(issuer, authority, True)
            self.key_file.write_bytes(
                online.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            self.chain.write_bytes(leaf.public_bytes(Encoding.PEM) + root.public_bytes(Encoding.PEM))
        pems = self.chain.read_bytes().split(b"-----END CERTIFICATE-----\n")[:2]
        self.certificates = [
            x509.load_pem_x509_certificate(pem + b"-----END CERTIFICATE-----\n").public_bytes(Encoding.DER)
            for pem in pems]
        self.fingerprint = hashlib.sha256(self.certificates[1]).digest()
        key = load_pem_private_key(self.key_file.read_bytes(), None)
        self.sign = key.sign
        self.algorithm = bytes.fromhex("3005 06032b65" + ("71" if isinstance(key, ed448.Ed448PrivateKey) else "70"))

    def context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key_file)
        context.set_alpn_protocols(["xftp/1", "h2", "http/1.1"])
        context.num_tickets = 0
        return context


# ---------------------------------------------------------------------------------------------------------------------
# Encodings


class Invalid(Exception):
    """Bytes that do not parse."""


def short(data):
    return bytes([len(data)]) + data


def large(data):
    return struct.pack(">H", len(data)) + data


def pad(content):
    return large(content) + b"#" * (BLOCK - 2 - len(content))


def unpad(block):
    (length,) = struct.unpack_from(">H", block)
    if length > BLOCK - 2:
        raise Invalid
    return block[2:2 + length]


def text(name):
    return base64.urlsafe_b64encode(name).decode()


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Invalid
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def short(self):
        return self.take(self.byte())

    def list(self):
        found = [self.short() for _ in range(self.byte())]
        if not found:
            raise Invalid
        return found

    def rest(self):
        return self.take(len(self.data) - self.at)

    def end(self):
        if self.at != len(self.data):
            raise Invalid


def der(tag, content):
    length = len(content)
    head = bytes([length]) if length < 128 else bytes([0x81, length]) if length < 256 else b"\x82" + struct.pack(">H", length)
    return bytes([tag]) + head + content


ED25519, X25519 = bytes.fromhex("302a300506032b6570032100"), bytes.fromhex("302a300506032b656e032100")


# ---------------------------------------------------------------------------------------------------------------------
# Chunks


class Chunk:
    def __init__(self, key, size, digest):
        self.key, self.size, self.digest = key, size, digest
        self.recipients, self.is_stored, self.uploads = {}, False, 0


class Store:
    """What the relay knows, in a log of one JSON line a change, with a file for each content."""

    def __init__(self, folder, quota):
        self.files, self.quota, self.used = folder / "files", quota, 0
        self.files.mkdir(exist_ok=True)
        self.chunks, self.owners = {}, {}
        log = folder / "log"
        if log.exists():
            for line in log.read_text().splitlines():
                self.apply(json.loads(line))
        self.log = log.open("a", buffering=1)

    def change(self, *words):
        self.apply(words)
        self.log.write(json.dumps(words) + "\n")

    def apply(self, words):
        what, name, *rest = words
        name = bytes.fromhex(name)
        if what == "new":
            self.chunks[name] = Chunk(bytes.fromhex(rest[0]), rest[1], bytes.fromhex(rest[2]))
        elif what == "add":
            for recipient, key in rest[0]:
                self.chunks[name].recipients[bytes.fromhex(recipient)] = bytes.fromhex(key)
                self.owners[bytes.fromhex(recipient)] = name
        elif what == "put":
            self.chunks[name].is_stored = True
            self.used += self.chunks[name].size
        elif what == "forget":
            self.chunks[self.owners.pop(name)].recipients.pop(name)
        elif what == "delete":
            chunk = self.chunks.pop(name)
            self.used -= chunk.size if chunk.is_stored else 0
            for recipient in chunk.recipients:
                self.owners.pop(recipient)

    def path(self, name):
        return self.files / text(name)

    def of_recipient(self, name):
        owner = self.owners.get(name)
        return (owner, self.chunks[owner]) if owner else (None, None)


# ---------------------------------------------------------------------------------------------------------------------
# HTTP/2. Headers of requests are not looked at, as the official relay does not.

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8
STATUS_200 = b"\x88"
PROTOCOL_ERROR, FLOW_CONTROL_ERROR, REFUSED, CALM = 1, 3, 7, 11


class Ended(Exception):
    """The connection ends, for a reason that the client gets to know."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class Gone(Exception):
    """The request was reset, or its connection ended."""


class Rates:
    """Counts kinds of frames of the second that runs."""

    def __init__(self):
        self.second, self.counts = 0, {}

    def note(self, kind):
        second = int(time.monotonic())
        if second != self.second:
            self.second, self.counts = second, {}
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] > MOST_A_SECOND:
            raise Ended(CALM if kind == "PING" else PROTOCOL_ERROR, f"too many {kind}")


class Stream:
    def __init__(self, connection, number):
        self.connection, self.number = connection, number
        self.unread, self.is_ended, self.is_reset, self.is_answered = [], False, False, False
        self.arrived = asyncio.Event()
        self.inbound, self.owed = connection.relay.window, 0
        self.outbound = connection.peer_window

    def receive(self, payload, is_last):
        if payload:
            self.unread.append(payload)
        self.is_ended = self.is_ended or is_last
        self.arrived.set()

    async def read(self):
        """The next piece, which gives back its credit; nothing at the end."""
        while not self.unread and not self.is_ended:
            if self.is_reset:
                raise Gone
            self.arrived.clear()
            await self.arrived.wait()
        if self.is_reset:
            raise Gone
        if not self.unread:
            return b""
        piece = self.unread.pop(0)
        self.connection.give_credit(self, len(piece))
        return piece

    async def read_block(self):
        """What the request begins with, and what came behind it."""
        found = bytearray()
        while len(found) < BLOCK:
            piece = await self.read()
            if not piece:
                break
            found += piece
        return bytes(found[:BLOCK]), bytes(found[BLOCK:])


class Connection:
    def __init__(self, relay, reader, writer):
        self.relay, self.reader, self.writer = relay, reader, writer
        self.streams, self.waiting = {}, asyncio.Queue()
        self.inbound, self.owed = relay.window, 0
        self.outbound, self.peer_window, self.peer_frame = 65_535, 65_535, 16_384
        self.room = asyncio.Condition()
        self.rates = Rates()
        self.tasks = set()
        tls = writer.get_extra_info("ssl_object")
        self.session = Session(relay, tls.get_channel_binding("tls-unique"))
        self.peer = dict(version=tls.version(), alpn=tls.selected_alpn_protocol(), cipher=tls.cipher()[0])
        self.last_body, self.longest_pause = None, 0.0

    def start(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def run(self):
        self.relay.event("connection", **self.peer)
        why = "the client closed it"
        try:
            if await self.reader.readexactly(24) != b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":
                raise Ended(PROTOCOL_ERROR, "no preface")
            self.send(
                SETTINGS, 0, 0,
                struct.pack(">HIHIHI", 3, MOST_STREAMS, 4, self.relay.window, 5, MOST_FRAME))
            if self.relay.window > 65_535:
                self.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", self.relay.window - 65_535))
            for _ in range(self.relay.handlers):
                self.start(self.handle())
            while True:
                head = await self.reader.readexactly(9)
                size = int.from_bytes(head[:3], "big")
                if size > MOST_FRAME:
                    raise Ended(6, "a frame that is too long")
                payload = await self.reader.readexactly(size)
                await self.received(head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload)
        except Ended as end:
            why = str(end)
            self.send(GOAWAY, 0, 0, struct.pack(">II", max(self.streams, default=0), end.code))
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass
        finally:
            for stream in self.streams.values():
                stream.is_reset = True
                stream.arrived.set()
            for task in list(self.tasks):
                task.cancel()
            self.relay.event(
                "closed", why=why, longestPause=round(self.longest_pause, 3), window=self.inbound)
            try:
                self.writer.close()
                await asyncio.wait_for(self.writer.wait_closed(), 2)
            except (Exception, asyncio.TimeoutError):
                self.writer.transport.abort()

    # Receiving

    async def received(self, kind, flags, number, payload):
        if kind == DATA:
            self.body_received(number, flags, payload)
        elif kind == HEADERS:
            self.request_received(number, flags, payload)
        elif kind == WINDOW_UPDATE:
            (increment,) = struct.unpack(">I", payload)
            async with self.room:
                if number == 0:
                    self.outbound += increment
                elif number in self.streams:
                    self.streams[number].outbound += increment
                self.room.notify_all()
        elif kind == RST_STREAM:
            self.rates.note("RST_STREAM")
            stream = self.streams.pop(number, None)
            if stream:
                # What was not read stays charged to the connection.
                self.relay.event("reset", unread=sum(map(len, stream.unread)))
                stream.is_reset = True
                stream.arrived.set()
                async with self.room:
                    self.room.notify_all()
        elif kind == SETTINGS and not flags & ACK:
            self.rates.note("SETTINGS")
            for key, value in struct.iter_unpack(">HI", payload):
                if key == 4:
                    for stream in self.streams.values():
                        stream.outbound += value - self.peer_window
                    self.peer_window = value
                if key == 5:
                    self.peer_frame = value
            self.send(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.rates.note("PING")
            self.relay.event("ping")
            self.send(PING, ACK, 0, payload)
        elif kind == GOAWAY:
            raise asyncio.IncompleteReadError(b"", None)
        elif kind == CONTINUATION:
            raise Ended(PROTOCOL_ERROR, "headers in several frames, which no client has")

    def request_received(self, number, flags, payload):
        if number in self.streams:
            # Trailers.
            if not flags & END_STREAM:
                raise Ended(PROTOCOL_ERROR, "trailers that do not end the stream")
            return self.streams[number].receive(b"", True)
        if not flags & END_HEADERS:
            raise Ended(PROTOCOL_ERROR, "headers in several frames, which no client has")
        if len(self.streams) >= MOST_STREAMS:
            raise Ended(REFUSED, "too many requests at a time")
        stream = self.streams[number] = Stream(self, number)
        stream.is_ended = bool(flags & END_STREAM)
        # Whether it is handled soon or late, from now on its body is taken.
        self.waiting.put_nowait(stream)

    def body_received(self, number, flags, payload):
        size = len(payload)
        if size == 0 and not flags & END_STREAM:
            self.rates.note("empty frames")
        self.inbound -= size
        if self.inbound < 0:
            raise Ended(FLOW_CONTROL_ERROR, "more than the connection's window")
        stream = self.streams.get(number)
        if stream is None:
            return
        stream.inbound -= size
        if stream.inbound < 0:
            raise Ended(FLOW_CONTROL_ERROR, "more than the stream's window")
        if flags & PADDED:
            payload = payload[1:size - payload[0]]
        now = time.monotonic()
        if self.last_body is not None:
            self.longest_pause = max(self.longest_pause, now - self.last_body)
        if stream.is_answered:
            # Refused: nobody reads it, and its bytes stay charged to the connection.
            if flags & END_STREAM:
                del self.streams[number]
            return
        stream.receive(payload, bool(flags & END_STREAM))
        is_open = any(not one.is_ended and not one.is_answered for one in self.streams.values())
        self.last_body = now if is_open else None

    def give_credit(self, stream, count):
        self.owed += count
        stream.owed += count
        if self.owed >= LEAST_UPDATE:
            self.inbound += self.owed
            self.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", self.owed))
            self.owed = 0
        if stream.owed >= LEAST_UPDATE and not stream.is_ended:
            stream.inbound += stream.owed
            self.send(WINDOW_UPDATE, 0, stream.number, struct.pack(">I", stream.owed))
            stream.owed = 0

    # Sending

    def send(self, kind, flags, number, payload=b""):
        if not self.writer.is_closing():
            self.writer.write(
                struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", number) + payload)

    async def send_data(self, stream, payload):
        at = 0
        while at < len(payload):
            async with self.room:
                await self.room.wait_for(
                    lambda: stream.is_reset or min(self.outbound, stream.outbound) > 0)
                if stream.is_reset:
                    raise Gone
                count = min(self.outbound, stream.outbound, self.peer_frame, len(payload) - at)
                self.outbound -= count
                stream.outbound -= count
            self.send(DATA, 0, stream.number, bytes(payload[at:at + count]))
            at += count
            await self.writer.drain()

    async def handle(self):
        """One of the handlers: bound to a request until its answer begins."""
        while True:
            stream = await self.waiting.get()
            try:
                if stream.is_reset:
                    continue
                pieces = await self.session.answer(stream)
                stream.is_answered = True
                self.start(self.respond(stream, pieces))
            except Gone:
                pass

    async def respond(self, stream, pieces):
        try:
            self.send(HEADERS, END_HEADERS | (0 if pieces else END_STREAM), stream.number, STATUS_200)
            for piece in pieces:
                await self.send_data(stream, piece)
            if pieces:
                self.send(DATA, END_STREAM, stream.number)
            await self.writer.drain()
            if stream.is_ended:
                self.streams.pop(stream.number, None)
        except (Gone, ConnectionError):
            pass


# ---------------------------------------------------------------------------------------------------------------------
# XFTP


class Refusal(Exception):
    def __init__(self, error, entity=None):
        self.error, self.entity = error, entity


class Session:
    def __init__(self, relay, identifier):
        self.relay, self.identifier, self.state = relay, identifier, "new"

    async def answer(self, stream):
        """The pieces of the answer's body, as they become frames."""
        block, rest = await stream.read_block()
        if self.state == "new":
            return self.hello(block)
        if self.state == "greeted":
            return self.begin(block)
        try:
            correlation, entity, command, arguments = self.request(block)
        except Refusal as refusal:
            correlation, entity = refusal.entity or (b"", b"")
            return self.reply(correlation, entity, b"ERR " + refusal.error)
        try:
            reply, content = await self.command(stream, rest, entity, command, arguments)
        except Invalid:
            reply, content = b"ERR CMD SYNTAX", None
        except Refusal as refusal:
            reply, content = b"ERR " + refusal.error, None
        if reply.startswith(b"ERR"):
            self.relay.event("refused", command=command.decode(errors="replace"), error=reply[4:].decode())
        return self.reply(correlation, b"" if reply[:4] in (b"SIDS", b"PONG") else entity, reply, content)

    def reply(self, correlation, entity, reply, content=None):
        transmission = b"\0" + short(self.identifier) + short(correlation) + short(entity) + reply
        block = pad(b"\x01" + large(transmission))
        pieces = [block[:16_374], block[16_374:]]
        if content is not None:
            pieces += [content[at:at + PIECE] for at in range(0, len(content), PIECE)]
        return pieces

    def hello(self, block):
        if block:
            return [pad(b"HANDSHAKE")]
        secret, public = os.urandom(32), ctypes.create_string_buffer(32)
        sodium.crypto_scalarmult_base(public, secret)
        identity = self.relay.identity
        key = der(0x30, X25519 + public.raw)
        signed = der(0x30, key + identity.algorithm + der(3, b"\0" + identity.sign(key)))
        self.state = "greeted"
        block = pad(
            struct.pack(">HH", 1, 3) + short(self.identifier) + bytes([2])
            + b"".join(map(large, identity.certificates)) + large(signed) + b"\0")
        return [block[:16_371], block[16_371:]]

    def begin(self, block):
        try:
            reader = Reader(unpad(block))
            (version,) = struct.unpack(">H", reader.take(2))
            if len(block) == BLOCK and reader.short() == self.relay.identity.fingerprint and 1 <= version <= 3:
                self.state = "accepted"
                return []
        except (Invalid, struct.error):
            pass
        return [pad(b"HANDSHAKE")]

    def request(self, block):
        """- Raises: Refusal, with correlation and entity of the answer."""
        try:
            if len(block) != BLOCK:
                raise Invalid
            reader = Reader(unpad(block))
            if reader.byte() != 1:
                raise Invalid
            (length,) = struct.unpack(">H", reader.take(2))
            transmission = Reader(reader.take(length))
            reader.end()
            self.signature = transmission.short()
            self.signed = transmission.data[transmission.at:]
            session, correlation, entity = transmission.short(), transmission.short(), transmission.short()
            command, _, arguments = transmission.rest().partition(b" ")
        except Invalid:
            raise Refusal(b"BLOCK")
        if session != self.identifier:
            raise Refusal(b"SESSION", (correlation, b""))
        if len(self.signature) not in (0, 64, 80, 114):
            raise Refusal(b"BLOCK")
        return correlation, entity, command, Reader(arguments)

    def authorize(self, key):
        if key[:12] != ED25519 or not verifies(self.signature, self.signed, key[12:]):
            raise Refusal(b"AUTH")

    async def command(self, stream, rest, entity, command, arguments):
        if command == b"PING":
            arguments.end()
            if entity or self.signature:
                raise Refusal(b"CMD HAS_AUTH")
            return b"PONG", None
        if command == b"FNEW":
            return self.create(entity, arguments), None
        actions = {
            b"FADD": self.add, b"FPUT": self.put, b"FDEL": self.delete, b"FGET": self.get, b"FACK": self.forget}
        if command not in actions:
            raise Refusal(b"CMD UNKNOWN")
        if not entity or not self.signature:
            raise Refusal(b"CMD NO_AUTH")
        store = self.relay.store
        if command in (b"FGET", b"FACK"):
            name, chunk = store.of_recipient(entity)
            key = chunk and chunk.recipients[entity]
        else:
            name, chunk = entity, store.chunks.get(entity)
            key = chunk and chunk.key
        if chunk is None:
            raise Refusal(b"AUTH")
        self.authorize(key)
        if command == b"FPUT":
            arguments.end()
            return await self.put(stream, rest, name, chunk), None
        return actions[command](entity, name, chunk, arguments)

    def create(self, entity, arguments):
        key, (size,) = arguments.short(), struct.unpack(">I", arguments.take(4))
        digest, keys = arguments.short(), arguments.list()
        password = arguments.short() if arguments.byte() == 0x31 else None
        arguments.end()
        if not self.signature:
            raise Refusal(b"CMD NO_AUTH")
        if entity:
            raise Refusal(b"CMD HAS_AUTH")
        self.authorize(key)
        if not self.relay.takes_files or self.relay.password not in (None, password):
            raise Refusal(b"AUTH")
        if size not in SIZES:
            raise Refusal(b"SIZE")
        name = os.urandom(16)
        self.relay.store.change("new", name.hex(), key.hex(), size, digest.hex())
        return b"SIDS " + short(name) + self.register(name, keys)

    def register(self, name, keys):
        pairs = [(os.urandom(16).hex(), key.hex()) for key in keys]
        self.relay.store.change("add", name.hex(), pairs)
        return bytes([len(pairs)]) + b"".join(short(bytes.fromhex(one)) for one, _ in pairs)

    def add(self, entity, name, chunk, arguments):
        keys = arguments.list()
        arguments.end()
        return b"RIDS " + self.register(name, keys), None

    def delete(self, entity, name, chunk, arguments):
        arguments.end()
        self.relay.store.path(name).unlink(missing_ok=True)
        self.relay.store.change("delete", name.hex())
        return b"OK", None

    def forget(self, entity, name, chunk, arguments):
        arguments.end()
        self.relay.store.change("forget", entity.hex())
        return b"OK", None

    def get(self, entity, name, chunk, arguments):
        key = arguments.short()
        arguments.end()
        if key[:12] != X25519 or len(key) != 44:
            raise Invalid
        if not chunk.is_stored:
            raise Refusal(b"NO_FILE")
        own, nonce, sealed = agreed_box(key[12:], self.relay.store.path(name).read_bytes())
        self.relay.event("download", size=chunk.size)
        return b"FILE " + short(X25519 + own) + nonce, sealed

    async def put(self, stream, rest, name, chunk):
        store = self.relay.store
        if chunk.uploads:
            # The official relay writes both into one file.
            self.relay.event("overlap", chunk=text(name))
        if not chunk.is_stored and store.quota is not None and store.used + chunk.size > store.quota:
            raise Refusal(b"QUOTA")
        chunk.uploads += 1
        digest, count, piece = hashlib.sha256(), 0, rest
        part = store.files / f"{text(name)}.{time.monotonic_ns()}"
        try:
            with part.open("wb") as file:
                while True:
                    if piece:
                        count += len(piece)
                        if count > chunk.size and not chunk.is_stored:
                            raise Refusal(b"SIZE")
                        digest.update(piece)
                        file.write(piece)
                        if self.relay.disk_rate:
                            await asyncio.sleep(len(piece) / self.relay.disk_rate)
                    # What is there already is read to its size, whatever follows.
                    if chunk.is_stored and count >= chunk.size:
                        break
                    piece = await stream.read()
                    if not piece:
                        break
            if count < chunk.size:
                raise Refusal(b"SIZE")
            if chunk.is_stored:
                return b"OK"
            if digest.digest() != chunk.digest:
                raise Refusal(b"DIGEST")
            if name not in store.chunks:
                raise Refusal(b"AUTH")
            part.rename(store.path(name))
            store.change("put", name.hex())
            self.relay.event("upload", size=chunk.size)
            return b"OK"
        finally:
            chunk.uploads -= 1
            part.unlink(missing_ok=True)


class Relay:
    def __init__(self, options):
        self.handlers, self.window, self.disk_rate = options.handlers, options.window, options.disk_rate
        self.takes_files = not options.no_new_files
        self.password = options.password.encode() if options.password else None
        self.identity = Identity(options.folder, options.algorithm)
        self.store = Store(options.folder, options.quota)

    def event(self, event, **values):
        print(json.dumps({"event": event, **values}), flush=True)

    async def connected(self, reader, writer):
        try:
            await Connection(self, reader, writer).run()
        except asyncio.CancelledError:
            pass

    async def serve(self, options):
        server = await asyncio.start_server(
            self.connected, "127.0.0.1", options.port, ssl=self.identity.context(), limit=1 << 20, backlog=64)
        port = server.sockets[0].getsockname()[1]
        fingerprint = base64.urlsafe_b64encode(self.identity.fingerprint).decode()
        print(json.dumps({"address": f"xftp://{fingerprint}@127.0.0.1:{port}"}), flush=True)
        end = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, end.set)

        def input_ready():
            asked = os.read(0, 4096)
            if not asked:
                loop.remove_reader(0)
                end.set()
            # Whoever reads this has read all that was said before.
            for _ in range(asked.count(b"\n")):
                self.event("mark")

        try:
            loop.add_reader(0, input_ready)
        except (PermissionError, OSError):
            pass  # not a pipe: only a signal ends it
        await asyncio.wait([asyncio.ensure_future(end.wait())], timeout=options.lifetime)


CONFIGURATION = """openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = strict
[strict]
MinProtocol = TLSv1.3
MaxProtocol = TLSv1.3
Ciphersuites = TLS_CHACHA20_POLY1305_SHA256
Groups = X448:X25519
SignatureAlgorithms = ed448:ed25519
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--algorithm", choices=["ed448", "ed25519"], default="ed448")
    parser.add_argument("--password")
    parser.add_argument("--quota", type=int)
    parser.add_argument("--no-new-files", action="store_true")
    parser.add_argument("--handlers", type=int, default=3)
    parser.add_argument("--window", type=int, default=WINDOW)
    parser.add_argument("--disk-rate", type=int, help="bytes a second that each upload is written with")
    parser.add_argument("--lifetime", type=float, default=3600, help="seconds after which it ends by itself")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    settings = options.folder / "openssl.cnf"
    if os.environ.get("OPENSSL_CONF") != str(settings):
        # Python offers no other way to choose TLS 1.3 suites, groups and signatures.
        settings.write_text(CONFIGURATION)
        os.environ["OPENSSL_CONF"] = str(settings)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    # Clients are killed while they are written to; that is no news.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(Relay(options).serve(options))
    os._exit(0)


main()
