"""Small XFTP relays, written from the fact sheet and from RFC 9113 alone.

Each line of standard input is JSON and starts one: `id` is its number, `chain` and `key` are PEM files (leaf and identity;
Ed25519), `fingerprint` is hexadecimal, and the rest says what it does wrong; see `Settings`. It listens on 127.0.0.1 and
prints, always after its number, `listening PORT` and then one line for each thing that a test may want to know. A line
with `stop` ends it. The program ends with its standard input.

With `socks`, it is a SOCKS5 proxy instead, which brings everybody to that port of 127.0.0.1.
"""

import asyncio
import base64
import ctypes
import ctypes.util
import hashlib
import json
import os
import ssl
import struct
import sys
import time
import warnings

warnings.simplefilter("ignore")

BLOCK = 16384
sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
sodium.sodium_init()

# ---------------------------------------------------------------------------------------------------------------------
# Cryptography


def x25519_pair():
    secret = os.urandom(32)
    public = ctypes.create_string_buffer(32)
    sodium.crypto_scalarmult_base(public, secret)
    return secret, public.raw


def x25519(secret, public):
    shared = ctypes.create_string_buffer(32)
    if sodium.crypto_scalarmult(shared, secret, public) != 0:
        raise ValueError("weak key")
    return shared.raw


def sign(seed, message):
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    sodium.crypto_sign_seed_keypair(public, secret, seed)
    signature = ctypes.create_string_buffer(64)
    sodium.crypto_sign_detached(signature, None, message, ctypes.c_ulonglong(len(message)), secret)
    return signature.raw


def verifies(signature, message, public):
    return len(signature) == 64 and 0 == sodium.crypto_sign_verify_detached(
        signature, message, ctypes.c_ulonglong(len(message)), public)


def stream_encrypt(shared, nonce, plain):
    """crypto_box with the tag at the end."""
    key = ctypes.create_string_buffer(32)
    sodium.crypto_core_hsalsa20(key, bytes(16), shared, None)
    out = ctypes.create_string_buffer(len(plain) + 16)
    sodium.crypto_secretbox_easy(out, plain, ctypes.c_ulonglong(len(plain)), nonce, key)
    return out.raw[16:] + out.raw[:16]


# ---------------------------------------------------------------------------------------------------------------------
# Encodings


def bs(x):
    return bytes([len(x)]) + x


def lg(x):
    return struct.pack(">H", len(x)) + x


def pad(m):
    return struct.pack(">H", len(m)) + m + b"#" * (BLOCK - 2 - len(m))


def unpad(block):
    size, = struct.unpack(">H", block[:2])
    assert len(block) == BLOCK and size <= BLOCK - 2
    return block[2:2 + size]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        assert self.at + n <= len(self.data)
        self.at += n
        return self.data[self.at - n:self.at]

    def bs(self):
        return self.take(self.take(1)[0])

    def lg(self):
        return self.take(struct.unpack(">H", self.take(2))[0])

    def list(self):
        return [self.bs() for _ in range(self.take(1)[0])]

    def rest(self):
        return self.take(len(self.data) - self.at)


ED25519 = bytes.fromhex("302a300506032b6570032100")
X25519 = bytes.fromhex("302a300506032b656e032100")


# ---------------------------------------------------------------------------------------------------------------------
# What it does wrong


class Settings:
    # `refuse` an upload with this error as soon as its block is there, and never read the rest
    upload = None
    # what becomes of a download: truncated, no-tag, short-tag, extra, flipped, wrong, stalls, closes, empty
    download = None
    # command -> what becomes of its answer: silent, close, goaway, garbage, session, short, long, entity, reset,
    # or `ERR …`
    answers = {}
    # command -> how often it is refused without work: REFUSED_STREAM, or a GOAWAY that passes it over
    refusals = {}
    departures = {}
    # what becomes of the handshake: refused, session, signature, versions, body, three, silent
    handshake = None
    # before TLS or HTTP/2: garbage, silent, close; tls-garbage, tls-silent, tls-close
    raw = None
    # control frames to the client, with every request: ping, goaway-later
    frames = None
    # commands fail that often with an answer that never comes to its end
    alpn = ["xftp/1"]
    # upload window of a stream in bytes
    window = 1048575
    slow = 0.0
    # seconds between the last byte of an answer and the stream's end
    late_end = 0.0
    # bytes in a second, either way, shared by all; and after how many seconds an upload is a TIMEOUT
    rate = None
    upload_time = None
    password = None
    quota = None
    socks = None

    def __init__(self, values):
        self.__dict__.update(values)
        self.chunks, self.recipients = {}, {}
        self.line = asyncio.Lock()

    async def travel(self, count):
        if self.rate:
            async with self.line:
                await asyncio.sleep(count / self.rate)

    def counts(self, faults, name):
        if not faults.get(name):
            return False
        faults[name] -= 1
        return True

    def log(self, *words):
        print(self.id, *words, flush=True)




# ---------------------------------------------------------------------------------------------------------------------
# HTTP/2, as far as it is needed: headers are not read, responses have `:status 200` alone

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8


class Stream:
    def __init__(self, connection, number):
        self.connection, self.number = connection, number
        self.body, self.ended, self.answered = bytearray(), False, False
        self.window = connection.peer_window
        self.unacknowledged = 0
        self.task = None
        self.began = time.monotonic()


class Connection:
    def __init__(self, settings, reader, writer):
        self.settings, self.log = settings, settings.log
        self.reader, self.writer = reader, writer
        self.streams = {}
        self.window, self.peer_window, self.frame = 65535, 65535, 16384
        self.room = asyncio.Condition()
        self.unacknowledged = 0
        tls = writer.get_extra_info("ssl_object")
        self.session = Session(settings, tls.get_channel_binding("tls-unique"))
        self.log("connection", tls.version(), tls.selected_alpn_protocol(), tls.cipher()[0])

    def send(self, kind, flags, stream, payload=b""):
        self.writer.write(
            struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload)

    async def run(self):
        assert await self.reader.readexactly(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self.send(SETTINGS, 0, 0, struct.pack(">HIHIHI", 3, 100, 4, self.settings.window, 5, 32759))
        self.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1048575 - 65535))
        while True:
            head = await self.reader.readexactly(9)
            size = int.from_bytes(head[:3], "big")
            kind, flags, number = head[3], head[4], int.from_bytes(head[5:], "big") & 0x7fffffff
            payload = await self.reader.readexactly(size)
            await self.frame_received(kind, flags, number, payload)

    async def frame_received(self, kind, flags, number, payload):
        if kind == SETTINGS and not flags & ACK:
            for key, value in struct.iter_unpack(">HI", payload):
                if key == 4:
                    self.peer_window = value
                if key == 5:
                    self.frame = value
            self.send(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.send(PING, ACK, 0, payload)
        elif kind == PING:
            self.log("pong")
        elif kind == HEADERS:
            assert flags & END_HEADERS, "long headers"
            stream = self.streams[number] = Stream(self, number)
            self.log("request", payload.hex())
            if flags & END_STREAM:
                stream.ended = True
            self.progress(stream)
        elif kind == DATA:
            stream = self.streams.get(number)
            if len(payload) == 0 and not flags & END_STREAM:
                self.log("empty data")
            if stream is None:
                return
            await self.data_received(stream, payload, bool(flags & END_STREAM))
        elif kind == RST_STREAM:
            self.log("reset", number, time.monotonic())
            stream = self.streams.pop(number, None)
            if stream and stream.task:
                stream.task.cancel()
        elif kind == WINDOW_UPDATE:
            increment, = struct.unpack(">I", payload)
            async with self.room:
                if number == 0:
                    self.window += increment
                elif number in self.streams:
                    self.streams[number].window += increment
                self.room.notify_all()
        elif kind == GOAWAY:
            self.log("goaway")

    async def data_received(self, stream, payload, ended):
        if stream.answered and self.settings.upload:
            # As the official relay: what was not read gives nothing back.
            return
        stream.body += payload
        stream.ended = stream.ended or ended
        if self.settings.slow:
            await asyncio.sleep(self.settings.slow)
        await self.settings.travel(len(payload))
        self.unacknowledged += len(payload)
        stream.unacknowledged += len(payload)
        if not self.is_refused(stream):
            if self.unacknowledged >= 65535:
                self.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", self.unacknowledged))
                self.unacknowledged = 0
            if not stream.ended and stream.unacknowledged >= self.settings.window // 2:
                self.send(WINDOW_UPDATE, 0, stream.number, struct.pack(">I", stream.unacknowledged))
                stream.unacknowledged = 0
        self.progress(stream)

    def is_refused(self, stream):
        return self.settings.upload and stream.number > 3 and len(stream.body) >= BLOCK and b"FPUT" in stream.body[:BLOCK]

    def progress(self, stream):
        if not stream.answered and (stream.ended or self.is_refused(stream)):
            stream.answered = True
            stream.task = asyncio.ensure_future(self.answer(stream))

    # Answers

    async def answer(self, stream):
        try:
            if self.settings.frames == "ping":
                for number in range(3):
                    self.send(PING, 0, 0, struct.pack(">Q", number))
            name = self.session.name(bytes(stream.body))
            if self.settings.counts(self.settings.refusals, name):
                self.log("refused", name)
                return self.send(RST_STREAM, 0, stream.number, struct.pack(">I", 7))
            if self.settings.counts(self.settings.departures, name):
                self.log("departed", name)
                return self.send(GOAWAY, 0, 0, struct.pack(">II", stream.number - 2, 0))
            if name == "FPUT":
                self.session.age = time.monotonic() - stream.began
            what, name = self.session.respond(bytes(stream.body))
            if what is None:
                self.log("silent", name)
                return
            await self.shape(stream, what, self.settings.answers.get(name), name)
        except ConnectionError:
            pass
        except AssertionError as error:
            self.log("violation", repr(error))
            self.writer.transport.abort()

    async def shape(self, stream, answer, fault, name):
        if fault == "silent":
            return self.log("silent", name)
        if fault == "close":
            self.log("closed", name)
            return self.writer.transport.abort()
        if fault == "goaway":
            # Requests up to this one are still answered.
            self.send(GOAWAY, 0, 0, struct.pack(">II", stream.number, 0))
        if fault == "reset":
            return self.send(RST_STREAM, 0, stream.number, struct.pack(">I", 2))
        if fault == "garbage":
            answer = os.urandom(BLOCK)
        if fault == "short":
            answer = answer[:1000]
        if fault == "long":
            answer += b"x"
        self.send(HEADERS, END_HEADERS, stream.number, b"\x88")
        limit = {"stalls": BLOCK + 30000, "closes": BLOCK + 30000}.get(self.settings.download) if name == "FGET" else None
        await self.send_body(stream, answer[:limit])
        if limit and self.settings.download == "closes":
            await self.writer.drain()
            return self.writer.transport.abort()
        if not limit:
            await asyncio.sleep(self.settings.late_end)
            self.send(DATA, END_STREAM, stream.number)
            self.log("answered", name)

    async def send_body(self, stream, body):
        body = memoryview(body)
        while body:
            async with self.room:
                await self.room.wait_for(lambda: self.window > 0 and stream.window > 0)
                size = min(len(body), self.window, stream.window, 16374, self.frame)
                self.window -= size
                stream.window -= size
            await self.settings.travel(size)
            self.send(DATA, 0, stream.number, bytes(body[:size]))
            await self.writer.drain()
            body = body[size:]


# ---------------------------------------------------------------------------------------------------------------------
# XFTP


class Refusal(Exception):
    pass


class Session:
    def __init__(self, settings, identifier):
        self.settings, self.log = settings, settings.log
        self.chunks, self.recipients = settings.chunks, settings.recipients
        self.id, self.state = identifier, "none"

    def respond(self, body):
        """The answer's bytes, None for none ever; and the command's name."""
        if self.state == "none":
            self.state = "hello"
            return self.hello(), "hello"
        if self.state == "hello":
            return self.handshake(body), "handshake"
        return self.command(body)

    def name(self, body):
        if self.state != "accepted":
            return self.state
        message = Reader(Reader(unpad(body[:BLOCK])[1:]).lg())
        for _ in range(4):
            message.bs()
        return message.rest().partition(b" ")[0].decode()

    def hello(self):
        fault = self.settings.handshake
        if fault == "silent":
            return None
        if fault == "refused":
            return pad(b"HANDSHAKE")
        pem = open(self.settings.chain).read().split("-----BEGIN CERTIFICATE-----")[1:]
        chain = [base64.b64decode(text.split("-----END")[0]) for text in pem]
        if fault == "three":
            chain.append(chain[1])
        self.secret, public = x25519_pair()
        wrapped = bytes.fromhex("302c") + X25519 + public
        signed = wrapped if fault != "signature" else wrapped[:-1] + b"\0"
        key = wrapped + bytes.fromhex("300506032b6570") + bytes.fromhex("034100") + sign(seed(self.settings), signed)
        key = b"\x30" + bs(key)
        identifier = self.id if fault != "session" else os.urandom(len(self.id))
        versions = (1, 3) if fault != "versions" else (9, 12)
        return pad(
            struct.pack(">HH", *versions) + bs(identifier) + bytes([len(chain)]) + b"".join(map(lg, chain)) + lg(key)
            + bs(b"") + b"a tail")

    def handshake(self, body):
        reader = Reader(unpad(body))
        version, = struct.unpack(">H", reader.take(2))
        if reader.bs().hex() != self.settings.fingerprint or not 1 <= version <= 3:
            return pad(b"HANDSHAKE")
        self.log("version", version)
        self.state = "accepted"
        return b"" if self.settings.handshake != "body" else b"x"

    def command(self, body):
        message = unpad(body[:BLOCK])
        batch = Reader(message)
        assert batch.take(1) == b"\1"
        reader = Reader(batch.lg())
        assert batch.rest() == b""
        authenticator = reader.bs()
        authorized = reader.data[reader.at:]
        assert reader.bs() == self.id
        correlation, entity = reader.bs(), reader.bs()
        name, _, parameters = reader.rest().partition(b" ")
        name = name.decode()
        self.log("command", name, "correlation", len(correlation), "entity", len(entity))
        extra = b""
        fault = self.settings.answers.get(name, "")
        try:
            if fault.startswith("ERR "):
                raise Refusal(fault[4:])
            result, extra = self.execute(name, entity, Reader(parameters), authenticator, authorized, body[BLOCK:])
        except Refusal as refusal:
            result = b"ERR " + str(refusal).encode()
        if name in ("FNEW", "PING"):
            entity = b""
        if fault == "entity":
            entity = b"" if entity else b"x"
        identifier = self.id if fault != "session" else os.urandom(len(self.id))
        answer = bs(b"") + bs(identifier) + bs(correlation) + bs(entity) + result
        return pad(b"\1" + lg(answer)) + extra, name

    def execute(self, name, entity, parameters, authenticator, authorized, body):
        if name == "PING":
            return b"PONG", b""
        if name == "FNEW":
            return self.create(parameters, authenticator, authorized), b""
        chunk = self.chunks.get(entity) if name in ("FADD", "FPUT", "FDEL") else self.recipients.get(entity, (None,))[0]
        if chunk is None:
            raise Refusal("AUTH")
        key = chunk["key"] if entity in self.chunks else self.recipients[entity][1]
        if not verifies(authenticator, authorized, key[len(ED25519):]):
            raise Refusal("AUTH")
        if name == "FADD":
            names = [self.add(chunk, key) for key in parameters.list()]
            return b"RIDS " + bytes([len(names)]) + b"".join(map(bs, names)), b""
        if name == "FPUT":
            return self.put(chunk, body), b""
        if name == "FGET":
            return self.get(chunk, parameters.bs())
        if name == "FACK":
            del self.recipients[entity]
        if name == "FDEL":
            del self.chunks[entity]
            for recipient in [r for r in self.recipients if self.recipients[r][0] is chunk]:
                del self.recipients[recipient]
        return b"OK", b""

    def create(self, parameters, authenticator, authorized):
        key, size, digest = parameters.bs(), struct.unpack(">I", parameters.take(4))[0], parameters.bs()
        keys = parameters.list()
        password = parameters.bs() if parameters.take(1) == b"1" else None
        assert parameters.rest() == b"" and key.startswith(ED25519) and keys
        if not verifies(authenticator, authorized, key[len(ED25519):]):
            raise Refusal("AUTH")
        if self.settings.password and password != self.settings.password.encode():
            raise Refusal("AUTH")
        if size not in (65536, 262144, 1048576, 4194304):
            raise Refusal("SIZE")
        name = os.urandom(16)
        chunk = self.chunks[name] = {"key": key, "size": size, "digest": digest, "body": None}
        names = [self.add(chunk, key) for key in keys]
        return b"SIDS " + bs(name) + bytes([len(names)]) + b"".join(map(bs, names))

    def add(self, chunk, key):
        name = os.urandom(16)
        self.recipients[name] = (chunk, key)
        return name

    def put(self, chunk, body):
        if self.settings.upload:
            raise Refusal(self.settings.upload)
        if self.settings.upload_time and self.age > self.settings.upload_time:
            raise Refusal("TIMEOUT")
        if chunk["body"] is not None:
            return b"OK"
        if len(body) != chunk["size"]:
            raise Refusal("SIZE")
        if self.settings.quota is not None and sum(len(c["body"] or b"") for c in self.chunks.values()) + len(body) > self.settings.quota:
            raise Refusal("QUOTA")
        if hashlib.sha256(body).digest() != chunk["digest"]:
            raise Refusal("DIGEST")
        chunk["body"] = body
        return b"OK"

    def get(self, chunk, key):
        assert key.startswith(X25519)
        if chunk["body"] is None:
            raise Refusal("NO_FILE")
        secret, public = x25519_pair()
        nonce = os.urandom(24)
        plain = chunk["body"] if self.settings.download != "wrong" else b"?" + chunk["body"][1:]
        body = stream_encrypt(x25519(secret, key[len(X25519):]), nonce, plain)
        shapes = {
            "truncated": body[:-5000], "no-tag": body[:-16], "short-tag": body[:-1], "extra": body + b"x",
            "flipped": body[:100] + bytes([body[100] ^ 1]) + body[101:], "empty": b"",
        }
        return b"FILE " + bs(X25519 + public) + nonce, shapes.get(self.settings.download, body)


def seed(settings):
    text = open(settings.key).read().split("-----")[2]
    return base64.b64decode(text)[-32:]


# ---------------------------------------------------------------------------------------------------------------------
# Listening


async def serve(settings, reader, writer):
    try:
        if settings.raw in ("tls-garbage", "tls-close", "tls-silent"):
            await misbehave(settings, settings.raw[4:], reader, writer)
        else:
            await Connection(settings, reader, writer).run()
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        pass
    except AssertionError as error:
        settings.log("violation", repr(error))
    writer.transport.abort()
    settings.log("disconnected")


async def misbehave(settings, how, reader, writer):
    settings.log("connected")
    if how == "garbage":
        writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n" * 20)
        await writer.drain()
    if how != "close":
        try:
            while await reader.read(65536):
                pass
        except ConnectionError:
            pass
    writer.transport.abort()
    settings.log("disconnected")


async def proxy(settings, reader, writer):
    version, count = await reader.readexactly(2)
    await reader.readexactly(count)
    writer.write(b"\5\0")
    _, command, _, kind = await reader.readexactly(4)
    if kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    else:
        host = ".".join(map(str, await reader.readexactly(4))) if kind == 1 else (await reader.readexactly(16)).hex()
    port, = struct.unpack(">H", await reader.readexactly(2))
    settings.log("socks", kind, host, port)
    if settings.raw == "refused":
        writer.write(b"\5\5\0\1" + bytes(6))
        return writer.close()
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", settings.socks)
    writer.write(b"\5\0\0\1" + bytes(6))

    async def pump(source, sink):
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))


async def listen(settings):
    context = None
    handler = serve
    if settings.socks:
        handler = proxy
    elif settings.raw in ("garbage", "silent", "close"):
        handler = lambda settings, reader, writer: misbehave(settings, settings.raw, reader, writer)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings.chain, settings.key)
        if settings.alpn:
            context.set_alpn_protocols(settings.alpn)
    server = await asyncio.start_server(
        lambda reader, writer: handler(settings, reader, writer), "127.0.0.1", 0, ssl=context)
    settings.log("listening", server.sockets[0].getsockname()[1])
    return server


async def main():
    servers = {}
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        values = json.loads(line)
        if "stop" in values:
            servers.pop(values["stop"]).close()
        elif "sync" in values:
            print(values["sync"], "synchronized", flush=True)
        else:
            servers[values["id"]] = await listen(Settings(values))
    os._exit(0)


asyncio.run(main())
