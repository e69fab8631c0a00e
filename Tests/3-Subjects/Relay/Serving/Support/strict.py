"""A client as strict as the official one, which has the same HTTP/2 library as the official relay (fact sheet, 2.2 and 12b):
one window of 1,048,575 bytes for all answers, credit only for what was read and in updates of 65,535 bytes or more, and an
end of the connection at a fifth PING, SETTINGS, RST_STREAM or empty frame within a second, and at every error of a stream.
It sends one request after the other, the next one when the block of an answer is there; contents of answers overlap. It
sends all of a body, whatever the answer says, and resets nothing."""

import os
import time

import h2.events
import h2.settings

from xftp import *

WINDOW = 1_048_575
LEAST_UPDATE = 65_535
MOST_A_SECOND = 4


class StrictClient(Client):
    def __init__(self, port, fingerprint):
        self.times = {}
        self.owed, self.owed_streams = 0, {}
        codes = h2.settings.SettingCodes
        super().__init__(
            port, fingerprint, settings={codes.INITIAL_WINDOW_SIZE: WINDOW, codes.MAX_FRAME_SIZE: 32_759}, window=False)

    def note(self, kind):
        now = time.monotonic()
        recent = [moment for moment in self.times.get(kind, []) if now - moment < 1] + [now]
        assert len(recent) <= MOST_A_SECOND, f"too many {kind}"
        self.times[kind] = recent

    def handle(self, event):
        if isinstance(event, h2.events.PingReceived):
            self.note("PING")
        elif isinstance(event, h2.events.RemoteSettingsChanged):
            self.note("SETTINGS")
        elif isinstance(event, h2.events.StreamReset):
            raise AssertionError("the relay reset a stream, which ends an official client's connection")
        elif isinstance(event, h2.events.DataReceived):
            if not event.data and not event.stream_ended:
                self.note("empty DATA")
            stream = event.stream_id
            self.answers[stream]["body"] += event.data
            return self.read(stream, event.flow_controlled_length)
        elif isinstance(event, h2.events.ResponseReceived):
            assert [(str(k), str(v)) for k, v in event.headers] == [(":status", "200")], event.headers
        super().handle(event)

    def read(self, stream, count):
        """What came is read, and its credit given back."""
        self.owed += count
        self.owed_streams[stream] = self.owed_streams.get(stream, 0) + count
        if self.owed >= LEAST_UPDATE:
            self.http.increment_flow_control_window(self.owed)
            self.owed = 0
        if self.owed_streams[stream] >= LEAST_UPDATE and not self.answers[stream]["ended"]:
            self.http.increment_flow_control_window(self.owed_streams.pop(stream), stream)
        self.flush()

    def wait_block(self, stream):
        while len(self.answers[stream]["body"]) < BLOCK and not self.answers[stream]["ended"]:
            self.receive()


def official(port, fingerprint):
    """Everything that a transfer does, one request after the other, over one connection."""
    client = StrictClient(port, fingerprint)
    chunk, sender, recipient = os.urandom(4_194_304), Key(), Key()
    stored = []
    for _ in range(6):
        name, readers = client.new(sender, chunk, [recipient, Key()])
        assert client.put(sender, name, chunk) == "OK"
        stored.append((name, readers[0]))

    # Contents of downloads overlap: each is asked for when the block of the one before is there.
    ephemeral = [Ephemeral() for _ in stored]
    streams = []
    for (_, reader), own in zip(stored, ephemeral):
        block = client.block(b"FGET " + bs(own.spki), recipient, reader)
        stream = client.open(block)
        client.wait_block(stream)
        streams.append(stream)
    for stream, (_, reader), own in zip(streams, stored, ephemeral):
        client.wait(stream)
        answer, echoed, _, body = client.parse(client.answers[stream]["body"])
        assert echoed == reader and answer.startswith(b"FILE ") and len(body) == len(chunk) + 16

    # Small requests get through while contents are on their way.
    name, reader = stored[0]
    stream = client.open(client.block(b"FGET " + bs(Ephemeral().spki), recipient, reader))
    client.wait_block(stream)
    for _ in range(5):
        client.ping()
    client.wait(stream)
    client.close()


def refused(port, fingerprint):
    """Uploads that are refused are sent to their end all the same, and the connection goes on."""
    client = StrictClient(port, fingerprint)
    chunk, sender = os.urandom(4_194_304), Key()
    name, _ = client.new(sender, chunk, [Key()])
    for _ in range(4):
        # A wrong key, a name that is unknown: answered before the body came.
        assert client.put(Key(), name, chunk) == "ERR AUTH"
        assert client.put(sender, os.urandom(16), chunk) == "ERR AUTH"
        client.ping()
    for _ in range(3):
        other, _ = client.new(sender, chunk, [Key()])
        # There is room for one chunk.
        assert client.put(sender, other, chunk) in ("OK", "ERR QUOTA")
    # What is there already is read to its end too, and a body that is too long.
    assert client.put(sender, other, chunk + bytes(200_000)) in ("ERR QUOTA", "OK", "ERR SIZE")
    client.ping()
    client.close()
