#!/usr/bin/env python3
"""Writes the seeds that the fuzzers start from: archives, databases and texts of several makers.

    Fuzz/make-seeds.py FOLDER     makes FOLDER/zip, FOLDER/pages, FOLDER/json, FOLDER/scan, FOLDER/wire,
                                  FOLDER/description, FOLDER/store, FOLDER/content, FOLDER/markdown, FOLDER/template,
                                  FOLDER/compose, FOLDER/tcfs, FOLDER/session

What the fuzzers made of them is kept in Fuzz/Corpus; the seeds are needed again only where a format is added.
"""
import base64
import hashlib
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
import zlib

TESTS = pathlib.Path(__file__).parent.parent / "Tests"
TEXT = b"hello, hello, hello, hello, hello. " * 6
NOISE = bytes((i * i * 7 + i // 3) & 0xFF for i in range(300))
FILES = {
    "simplex_v1_chat.db": b"SQLite format 3\0" + NOISE,
    "simplex_v1_agent.db": NOISE[::-1],
    "simplex_v1_files/photo.jpg": b"\xff\xd8\xff\xe0" + NOISE[:60],
    "simplex_v1_files/\u00fc \U0001f392.txt": TEXT,
    "simplex_v1_files/empty": b"",
}


def save(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


class Pipe(io.RawIOBase):
    """Cannot be sought in, so that zipfile writes descriptors."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def python_zip(method, *, pipe=False, zip64=False, comment=b"", folders=False):
    out = Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        if folders:
            archive.writestr(zipfile.ZipInfo("simplex_v1_files/"), b"")
        for name, data in FILES.items():
            info = zipfile.ZipInfo(name, (2025, 1, 2, 3, 4, 6))
            info.compress_type = method
            with archive.open(info, "w", force_zip64=zip64) as entry:
                entry.write(data)
        archive.comment = comment
    return bytes(out.data) if pipe else out.getvalue()


def tool_zip(make):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in FILES.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        target = pathlib.Path(folder, "out.zip")
        make(folder, target)
        return target.read_bytes()


def info_zip(folder, target):
    subprocess.run(["zip", "-q", "-r", target, "."], cwd=folder, check=True)


def info_zip_stored(folder, target):
    subprocess.run(["zip", "-q", "-0", "-X", "-D", "-r", target, "."], cwd=folder, check=True)


def bsdtar(folder, target):
    with open(target, "wb") as out:
        subprocess.run(["bsdtar", "--format=zip", "-c", "-f", "-", *FILES], cwd=folder, stdout=out, check=True)


def zips(folder):
    made = {
        "python-stored": python_zip(zipfile.ZIP_STORED),
        "python-deflated": python_zip(zipfile.ZIP_DEFLATED, comment=b"a comment"),
        "python-pipe": python_zip(zipfile.ZIP_DEFLATED, pipe=True),
        "python-pipe-stored": python_zip(zipfile.ZIP_STORED, pipe=True, folders=True),
        "python-zip64": python_zip(zipfile.ZIP_DEFLATED, zip64=True),
        "python-zip64-pipe": python_zip(zipfile.ZIP_DEFLATED, zip64=True, pipe=True),
        "info-zip": tool_zip(info_zip),
        "info-zip-stored": tool_zip(info_zip_stored),
        "bsdtar": tool_zip(bsdtar),
        "empty": b"PK\5\6" + bytes(18),
    }
    for name, data in made.items():
        save(folder / "zip", name, data)
        save(folder / "scan", name, b"\0" + data)
    whole = made["bsdtar"]
    save(folder / "scan", "cut", b"\0" + whole[: len(whole) * 2 // 3])
    save(folder / "scan", "headless", b"\0" + whole[40:])
    save(folder / "scan", "hole", b"\0" + whole[:200] + bytes(64) + whole[264:])
    save(folder / "scan", "nested", b"\0" + python_zip(zipfile.ZIP_STORED) + whole)
    # By the first byte: 1 unpacks, 2 packs.
    for level in (0, 1, 9):
        packer = zlib.compressobj(level, zlib.DEFLATED, -15)
        data = packer.compress(TEXT * 9 + NOISE) + packer.flush(zlib.Z_FULL_FLUSH) + packer.compress(NOISE)
        save(folder / "scan", f"deflated-{level}", bytes([1, 0, 0]) + data + packer.flush())
    save(folder / "scan", "huge", bytes([1, 0, 0]) + zlib.compress(bytes(4 << 20), 9)[2:-4])
    save(folder / "scan", "pack-text", bytes([2, 6, 7]) + TEXT)
    save(folder / "scan", "pack-noise", bytes([2, 1, 0]) + NOISE)
    save(folder / "scan", "text", b"\0" + TEXT * 8)


def database(page_size, *, vacuum=0, encoding="UTF-8", rows=12, extra=""):
    path = tempfile.mktemp()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        f"""PRAGMA page_size = {page_size}; PRAGMA auto_vacuum = {vacuum}; PRAGMA encoding = '{encoding}';
        CREATE TABLE users (user_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, weight REAL);
        CREATE TABLE files (file_id INTEGER PRIMARY KEY, path TEXT, content BLOB);
        CREATE TABLE keys (a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE strict_one (n INTEGER NOT NULL, t TEXT) STRICT;
        CREATE INDEX files_path ON files (path);
        {extra}"""
    )
    for i in range(rows):
        connection.execute("INSERT INTO users VALUES (?, ?, ?)", (i * 37, f"user {i} \u00fc", i / 7))
        connection.execute("INSERT INTO files VALUES (?, ?, ?)", (i - 3, "p" * (i * 9), bytes(i * 60)))
        connection.execute("INSERT INTO keys VALUES (?, ?)", (f"key {i}", i))
        connection.execute("INSERT INTO strict_one VALUES (?, ?)", (1 << (i * 2), None))
    connection.execute("DELETE FROM files WHERE file_id % 3 = 0")
    connection.close()
    data = pathlib.Path(path).read_bytes()
    os.unlink(path)
    return data


def pages(folder):
    made = {
        "512": database(512),
        "512-vacuum": database(512, vacuum=1),
        "512-incremental": database(512, vacuum=2, rows=20),
        "1024": database(1024, rows=30),
        "1024-utf16": database(1024, encoding="UTF-16be"),
        "2048-view": database(2048, rows=4, extra="CREATE VIEW v AS SELECT * FROM users;"),
        "4096": database(4096, rows=2),
        "512-empty": database(512, rows=0),
        "fts": database(1024, rows=1, extra="CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('b');"),
    }
    # The first byte says what is done with the rest: Fuzz/Sources/fuzz-pages/main.swift.
    for name, data in made.items():
        if len(data) > 20 << 10:
            continue
        for mode in range(2):
            save(folder / "pages", f"{name}-{mode}", bytes([mode]) + data)
        for start in range(0, min(len(data), 4096), 512):
            save(folder / "pages", f"{name}-page-{start}", bytes([4]) + data[start : start + 512])
        if len(data) <= 12 << 10:
            for settings in range(4):
                save(folder / "pages", f"{name}-sealed-{settings}", bytes([3, settings, 0, 0]) + data)
    save(folder / "pages", "noise", bytes([2]) + b"".join(hashlib.sha256(bytes([i])).digest() for i in range(128)))
    save(folder / "pages", "row", bytes([4, 5, 0, 1, 2, 17, 19, 7]) + b"abc\x40\x10abcdef")
    save(folder / "pages", "lost-header", bytes([0]) + bytes(100) + made["1024"][100:])


KEY = "nAmrpdr3RsGuOn0cSZs4kQ8CWJvqkMuo4nbgGdCFR4s="
NONCE = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
ARGS = f'{{"fileKey":"{KEY}","fileNonce":"{NONCE}"}}'
# By the number of the reader in Fuzz/Sources/fuzz-json/main.swift.
TEXTS = {
    0: [
        '{"version":1,"act":"import","steps":[{"database":{"staged":"new/a.db","target":"a.db"}},'
        '{"merge":{"staged":"new/files","target":"files","growth":3}},{"folder":{"target":"x"}}],'
        '"keepsBackup":false,"dropsBackup":true,"keepsFormer":false,"replaced":{}}',
    ],
    1: [
        '{"type":"fileError","file":"simplex_v1_files/a.jpg","fileError":"it is gone"}',
        '{"_owsf":true,"import":{"importError":"no space"}}',
        '{"type":"importFileError","file":"a","chatError":"b"}',
    ],
    2: [
        '{"type":"ok"}',
        '{"type":"errorMigration","dbFile":"a.db","migrationError":{"type":"upgrade","upMigrations":'
        '[{"upName":"20220101_initial","withDown":true}]}}',
        '{"_owsf":true,"errorMigration":{"dbFile":"a","migrationError":{"_owsf":true,"migrationError":'
        '{"mtrError":{"_owsf":true,"different":{"appMigration":"a","dbMigration":"b"}}}}}}',
        '{"type":"errorSQL","dbFile":"a.db","migrationSQLError":"disk I/O error"}',
        '{"type":"errorMigration","dbFile":"a","migrationError":{"type":"downgrade","downMigrations":["x"]}}',
    ],
    3: [
        '{"type":"errorDatabase","databaseError":{"type":"errorExport","sqliteError":'
        '{"type":"error","dbError":"file is not a database"}}}',
        '{"type":"errorDatabase","databaseError":{"type":"errorNoFile","dbFile":"a.db"}}',
        '{"_owsf":true,"errorDatabase":{"databaseError":{"_owsf":true,"errorOpen":{"sqliteError":'
        '{"_owsf":true,"errorNotADatabase":{}}}}}}',
    ],
    4: [
        '{"chat":"Alice","chatId":1,"chatKind":"contact","direction":"received","fileId":4,"kind":"image",'
        '"messageId":9,"name":"a.jpg","path":"Alice/a.jpg","sender":"Alice","sha256":"' + "ab" * 32
        + '","size":3,"time":"2026-01-31T12:00:00Z","user":"Bob","userId":1}',
    ],
    6: [
        f'{{"filePath":"a.jpg","cryptoArgs":{ARGS}}}',
        f"key={KEY} nonce={NONCE} a b.jpg",
        '{"filePath":"\\u00fc\\ud83c\\udf92.txt"}',
    ],
    7: [ARGS, f'{{"type":"result","cryptoArgs":{ARGS}}}'],
    9: ["2026-01-31 12:00:00.123456", "2024-02-29T23:59:60Z", "1969-12-31 23:59:59+02:00", "2000-01-01"],
    12: ["/home/a/simplex_v1", "/home/%c3%bc/x", "/"],
    13: ["x'" + "5a" * 48 + "'", "00ffAB"],
    14: ["photo.jpg", "con.txt", "..", "a/b\\c:d", "\u00fc" * 130 + ".tar.gz", ".hidden ", "gpj\u202eexe"],
    16: ["valise key 1\n/home/a/simplex_v1\nsecret"],
    17: ["correct horse battery staple", "Tr0ub4dor&3\\x'"],
    15: ['{"ranges":[[1,3],[7,7]]}'],
}


def box(kind, content):
    return (8 + len(content)).to_bytes(4, "big") + kind + content


def texts(folder):
    for kind, samples in TEXTS.items():
        for index, text in enumerate(samples):
            save(folder / "json", f"{kind:02}-{index}", bytes([kind]) + text.encode())
    save(folder / "json", "05-0", bytes([5]) + (TEXTS[4][0] + "\n" + TEXTS[4][0].replace("4", "5") + "\n{\"ch").encode())
    header = box(b"mvhd", bytes(12) + (1000).to_bytes(4, "big") + (5000).to_bytes(4, "big") + bytes(80))
    track = box(b"trak", box(b"mdia", box(b"hdlr", bytes(8) + b"vide" + bytes(12))))
    movie = box(b"ftyp", b"isom\0\0\2\0isomiso2") + box(b"moov", header + track) + box(b"mdat", bytes(20))
    save(folder / "json", "10-0", bytes([10]) + movie)
    heads = [b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"BM" + bytes(12) + b"\x28\0\0\0", b"\xff\xfb\x90\x44",
             b"\x1a\x45\xdf\xa3\x42\x82\x84webm", b"caf\xc3\xa9\n\xf0\x9f"]
    for index, head in enumerate(heads):
        save(folder / "json", f"11-{index}", bytes([11]) + head + bytes(40))


def wires(folder):
    vectors = TESTS / "2-Formats/XFTPWire/Fixtures/wire"

    def add(kind, data):
        save(folder / "wire", f"{kind:02}-{hashlib.sha1(data).hexdigest()[:10]}", bytes([kind]) + data)

    def read(name):
        return json.loads((vectors / f"{name}.json").read_text())

    # By the number of the reader in Fuzz/Sources/fuzz-wire/main.swift.
    for vector in read("commands")["vectors"]:
        add(1 if vector["name"][:4] in ("SIDS", "RIDS", "FILE", "OK", "PONG", "ERR ") else 0, bytes.fromhex(vector["hex"]))
        if "text" in vector:
            add(2, vector["text"][4:].encode())
    for vector in read("keys")["vectors"]:
        for field in ("public_spki_der", "spki_der"):
            if field in vector:
                add(3, bytes.fromhex(vector[field]))
    for vector in read("handshake")["vectors"]:
        if "signed_key_der" in vector:
            add(3, bytes.fromhex(vector["signed_key_der"]))
            add(5, bytes.fromhex(vector["unpadded"]))
        elif "unpadded" in vector:
            add(6, bytes.fromhex(vector["unpadded"]))
    requests = []
    for name in ("native-session", "native-session-ed25519"):
        session = read(name)
        add(5, bytes.fromhex(session["serverHello"]["content"]))
        own = bytes.fromhex(session["sessionId"])
        for command in session["commands"]:
            for field in ("requestContent", "responseContent"):
                content = bytes.fromhex(command[field])
                add(4, len(content).to_bytes(2, "big") + content)
            # The fuzzer's session.
            requests.append(bytes.fromhex(command["requestContent"]).replace(own, b"S" * 32))

    def request(content, headers=0):
        return bytes([headers]) + len(content).to_bytes(2, "big") + content

    accept = b"\0\3\x20" + b"F" * 32
    native = request(b"")[:1] + b"\xff\xff" + request(accept)
    web = request(b"1\x20" + b"C" * 32, 1) + request(accept)
    for start, mode in ((native, 0), (web, 1), (b"", 2)):
        for index in range(0, len(requests), 3):
            add(7, bytes([mode]) + start + b"".join(request(content) for content in requests[index : index + 3]))
        add(7, bytes([mode]) + start + request(accept, 2) + request(b"0", 1) + request(accept))


def stores_of_tcfs(folder):
    fixtures = TESTS / "2-Formats/ContentStore/Fixtures"

    def add(kind, data):
        save(folder / "tcfs", f"{kind:02}-{hashlib.sha1(data).hexdigest()[:10]}", bytes([kind]) + data)

    # By the number of the reader in Fuzz/Sources/fuzz-tcfs/TCFSFuzzing.swift.
    documents = json.loads((fixtures / "documents.json").read_text())
    for document in documents["docs"]:
        name, text = document["name"], document["text"].encode()
        add(3 if "stub" in name else 1 if "index" in name else 0, text)
    device = documents["per_device_v3"]
    add(0, device["manifest_text"].encode())
    wrapped = json.loads(device["manifest_text"])["wrapped_file_keys"][0]["wrapped_key"]
    add(5, wrapped.encode())
    add(5, base64.b64decode("".join(wrapped.split("\n")[1:-2])))
    add(6, device["age_identity"].encode())
    for phrase in json.loads((fixtures / "kdf.json").read_text())["recovery_mnemonic"]["cases"]:
        add(6, phrase["mnemonic"].encode())
    for path in sorted(fixtures.glob("store_*.json")):
        for stored in json.loads(path.read_text())["objects"]:
            key, content = stored["key"], base64.b64decode(stored["b64"])
            add(8, key.encode())
            for kind, place in ((0, "/manifests/"), (1, "/index/"), (2, "/.tcfs-namespace/")):
                if place in key:
                    add(kind, content)
            if "/chunks/" in key:
                add(9, content[:4000])
    clock = {"clocks": {"a": 1}}
    record = {"rel_path": "a/b", "local_vclock": clock, "remote_vclock": clock, "local_blake3": "1", "remote_blake3": "2",
              "local_device": "a", "remote_device": "b", "detected_at": 1, "times_recorded": 1}
    add(4, json.dumps(record).encode())
    for text in (".git/config", "a/../b", "con.txt", "\u00e4/a\u0308", "a/\u0301b", "a" * 300, "x\\y", "Stra\u00dfe/\u1e9e"):
        add(7, text.encode())
    for data in (b"\0" * 3000, bytes(range(256)) * 12, b"\xab" * 1025, NOISE * 12):
        add(9, data)


def stores_of_session(folder):
    fixtures = TESTS / "2-Formats/SessionStore/Fixtures"
    peers = json.loads((fixtures / "peers.json").read_text())

    def add(kind, data):
        save(folder / "session", f"{kind:02}-{hashlib.sha1(data).hexdigest()[:10]}", bytes([kind]) + data)

    # By the number of the reader in Fuzz/Sources/fuzz-session/SessionStoreFuzzing.swift.
    for vector in peers["bencode"]:
        document = bytes.fromhex(vector["hex"])
        if len(document) < 1000:
            add(0, document)
    for text in (b"i-0e", b"i01e", b"d1:bi1e1:ai2ee", b"99999999999:", b"l" * 40 + b"e" * 40, b"i18446744073709551615e"):
        add(0, text)
    signed = bytes.fromhex(peers["signed"]["hex"])
    contact = b"33:\x05" + bytes(range(32)) + b"d1:+i-1e1:n4:name1:q3:\xff\x00\x01e"
    contacts = b"d1:#i7e1:&d1:cd" + contact + b"eee"
    for content in (b"de", signed, contacts, b"d", b"", b"i1e"):
        message = b"%d:" % len(content) + content
        add(1, b"d1:!i2e1:$" + message + b"1:(4:hash1:)l3:olde1:+dee")
        add(1, b"d1:$" + message + b"1:(l1:a1:be1:?i1ee")
        add(2, content)
        add(2, b"\0\0" + content)
    # A frame of Zstandard of one raw block.
    add(2, b"z(\xb5/\xfd\x20\x02\x11\x00\x00de")
    for vector in peers["recovery_passwords"][::5]:
        add(3, vector["words"].encode())
        add(3, vector["words"].upper().encode())
        add(3, vector["words"].replace(" ", "\u3000\n").encode())
    for text in ("abbey " * 13, "abbey " * 12, "zoom yoyo xray " * 4 + "zoom", "a " * 13):
        add(3, text.encode())
    for choice in (0, 1, 2, 0x30, 0x31, 0xF1):
        add(4, bytes([choice]) + b"\0" * 20 + b"\1" + TEXT)
    add(4, b"\0\1")
    add(4, b"\0\0\2")
    for name in ("attachment_legacy", "desktop_attachment", "attachment_libsession"):
        for vector in json.loads((fixtures / f"{name}.json").read_text())["cases"]:
            file = base64.b64decode(vector.get("b64", ""))
            if len(file) < 700:
                add(5, file)
    backups_of_session(add)
    documents_of_desktop(add)


def backups_of_session(add):
    key = base64.b64encode(bytes(76))
    files = [("database/Session.sqlite", b"SQLite format 3\0" + NOISE, 0), ("Attachments/empty", b"", 0), ("_extra/key.enc", key, 1)]

    def plaintexts(files, version=1, counts=None, chunk=4096):
        extra = sum(flag for _, _, flag in files)
        frames = [(1, version.to_bytes(4, "little"))]
        frames.append((2, b"".join(n.to_bytes(4, "little") for n in counts or (len(files) - extra, extra))))
        for path, content, flag in files:
            name = path.encode()
            frames.append((2, len(name).to_bytes(4, "little") + name + len(content).to_bytes(8, "little") + bytes([flag])))
            frames += [(0, content[at:at + chunk]) for at in range(0, len(content), chunk)]
        return frames

    def written(frames):
        return b"".join(bytes([choice]) + len(data).to_bytes(2, "little") + data for choice, data in frames)

    # By the widths of lengths that SessionBackupTarget knows.
    for frames in (plaintexts(files), plaintexts(files[1:]), plaintexts(files, chunk=100), plaintexts([]), plaintexts(files, version=2),
                   plaintexts(files, counts=(9, 9)), plaintexts([("../x", b"x", 0)]), plaintexts([("a", b"", 0), ("a/b", b"", 0)]),
                   plaintexts([("_extra/a", b"x", 0)]), plaintexts(files)[:-1], plaintexts(files) + [(0, b"more")]):
        add(6, written(frames))
    # Full frames, which the target fills.
    whole = plaintexts([("a", bytes(8192 + 3), 0)])
    add(6, written(whole[:3] + [(16, b""), (16, b""), (0, b"abc")]))
    for change in (4, 8, 0x24, 0xE4):
        frames = plaintexts(files)
        add(6, written([*frames[:2], (frames[2][0] | change, frames[2][1]), *frames[3:]]))
    document = json.loads((TESTS / "2-Formats/SessionStore/Fixtures/session_bak.json").read_text())
    add(7, base64.b64decode(document["archive_b64"])[:600])
    add(7, bytes([32]) + bytes(32))
    for text in (key, key + b"\n", key[:-1], b"", b"-_-_"):
        add(8, b"\0" + text)
    for content in (bytes(48), bytes(47), bytes(49), b""):
        add(8, b"\1" + content)
        add(8, b"\3" + content)


def documents_of_desktop(add):
    part = {"contentType": "image/jpeg", "size": 3, "url": "http://a/1", "path": "ab/abcd", "fileName": "a.jpg", "width": 1,
            "thumbnail": {"path": "cd/cdef"}, "screenshot": {"path": "../x"}, "flags": 1, "caption": "c", "duration": 1.5}
    message = {"type": "incoming", "body": "text", "attachments": [part, {"pending": True}, {"error": 1, "path": None}],
               "quote": {"author": "05aa", "timestamp": 1, "text": "q", "attachments": [{"thumbnail": part}]},
               "preview": [{"url": "https://a", "title": "t", "image": part}],
               "reacts": {"x": {"count": 2, "senders": ["05aa", "05bb"]}, "y": {"senders": {"05aa": "h"}}}}
    add(9, json.dumps(message).encode())
    for field, value in (("isDeleted", True), ("expirationTimerUpdate", {"expireTimer": 60}), ("group_update", {"joined": ["05aa"]}),
                         ("callNotificationType", "missed-call"), ("dataExtractionNotification", {"type": 1}),
                         ("messageRequestResponse", {"isApproved": 1}), ("communityInvitation", {"name": "a", "url": "b"}),
                         ("interactionNotification", {}), ("groupInvitation", {"url": "b"}), ("type", "other")):
        add(9, json.dumps({"type": "outgoing", field: value}).encode())
    digits = "0f1e2d3c" * 8
    for name in ("key", "value"):
        for text in (digits, digits.upper(), digits[1:], digits + "0", "+" + "0" * 62 + "7", "\\u0030" + "0" * 63):
            add(10, b'{"a": "%s", "%s": "%s"}' % (digits.encode(), name.encode(), text.encode()))


def descriptions(folder):
    fixtures = TESTS / "2-Formats/XFTPWire/Fixtures"
    transfers = TESTS / "Support/Fixtures/transfers"

    def add(kind, data):
        save(folder / "description", f"{kind:02}-{hashlib.sha1(data).hexdigest()[:10]}", bytes([kind]) + data)

    def read(name):
        return json.loads((fixtures / "wire" / f"{name}.json").read_text())["vectors"]

    # By the number of the reader in Fuzz/Sources/fuzz-description/main.swift.
    for vector in read("addresses"):
        for text in vector.values():
            if isinstance(text, str) and text.startswith("xftp:"):
                add(0, text.encode())
    for vector in read("file-description"):
        for name, text in vector.items():
            if isinstance(text, str) and len(text) < 4000:
                if "replicas:" in text:
                    add(1, text.encode())
                    add(3, text.encode())
                elif "/file" in text:
                    add(2, text.encode())
                elif name.startswith("web_fragment"):
                    add(2, b"https://a/#" + text.encode())
    for path in sorted(transfers.glob("**/*.xftp")) + sorted(transfers.glob("**/*.private")):
        add(1, path.read_bytes())
        add(3, path.read_bytes())
    for path in sorted(transfers.glob("**/*.uri")):
        add(2, path.read_bytes())
    for header in (b"\5a.jpg0", b"\3\xff\xfea1\2xy", b"\x000"):
        add(4, header + TEXT)
        for padding in (0, 100):
            size = len(header) + len(TEXT)
            add(5, b"\x20" + size.to_bytes(8, "big") + header + TEXT + b"#" * padding)


SETTINGS = """[STORE_LOG]
enable = on
expire_files_hours = 48
log_stats = off
prometheus_interval = 60

[AUTH]
new_files: on
create_password: s3cret

[TRANSPORT]
host = relay.example.org,127.0.0.1
port = 5443
listen = ::

[FILES]
path = files
storage_quota = 100gb
most_names = 1000000

[INACTIVE_CLIENTS]
disconnect = on
ttl = 21600

[WEB]
cert = /etc/web.crt
key = web.key
"""
COUNTERS = """fromTime=2026-01-31T12:00:00Z
filesCreated=3
fileRecipients=5
filesUploaded=3
filesExpired=0
filesDeleted=1
filesBlocked=0
filesCount=2
filesSize=131072
filesDownloaded:
dayHashes=1,-2
weekHashes=1,-2
monthHashes=1,-2,3
fileDownloads=4
fileDownloadAcks=2
"""


# What a header of the second version of the PROXY protocol begins with.
PROXY = b"\r\n\r\n\0\r\nQUIT\n"


def stores(folder):
    vectors = TESTS / "3-Subjects/Relay/Store/Fixtures/store-log.json"

    def add(kind, data):
        save(folder / "store", f"{kind:02}-{hashlib.sha1(data).hexdigest()[:10]}", bytes([kind]) + data)

    # By the number of the reader in Fuzz/Sources/fuzz-store/main.swift.
    lines = [vector["line"].encode() for vector in json.loads(vectors.read_text())["vectors"]]
    for line in lines:
        add(0, line)
    for count in range(len(lines) + 1):
        add(1, b"".join(line + b"\n" for line in lines[:count]) + lines[0][: count * 7])
    add(2, SETTINGS.encode())
    add(2, b"[TRANSPORT]\nhost = a.example\n[FILES]\npath = /srv/files\n[INFORMATION]\nx: y\n")
    add(3, COUNTERS.encode())
    for text in ('{"type":"status"}', '{"type":"delete","recipient":"AAAA"}',
                 '{"type":"block","recipient":"AAAA","reason":"reason=spam"}', '{"type":"stop"}'):
        add(4, text.encode())
    add(5, b"AQIDBAUGBwgJCgsMDQ4PEA==")
    add(5, b"AQIDBAUGBwgJCgsMDQ4PEA==.7.partial")
    for header in (b"PROXY TCP4 192.0.2.1 198.51.100.7 56324 443\r\n\x16\x03\x01",
                   b"PROXY TCP6 2001:db8::1 2001:db8::2 1 65535\r\n", b"PROXY UNKNOWN\r\n",
                   PROXY + b"\x21\x11\0\x0c" + bytes([192, 0, 2, 1, 198, 51, 100, 7, 220, 4, 1, 187, 0x16]),
                   PROXY + b"\x21\x21\0\x2b" + bytes(15) + b"\1" + bytes(15) + b"\2\0\1\0\2\3\0\4abcd", PROXY + b"\x20\0\0\0"):
        add(6, header)


# Of templates: what the syntax has, alone and together.
TEMPLATES = [
    "", "plain text", "{{name}}", "{{{name}}}", "{{& name}}", "{{ name }}", "{{.}}", "{{#list}}{{name}} {{number}}{{/list}}",
    "{{^none}}nothing{{/none}}", "{{#none}}x{{/none}}", "{{#yes}}{{#no}}x{{/no}}{{/yes}}", "{{! a comment }}", "{{> head}}",
    "{{> head}}\0<title>{{name}}</title>", "{{> head}}\0{{> head}}{{> page}}", "{{#texts}}<li>{{.}}</li>{{/texts}}",
    "{{#object}}{{name}}{{#object}}{{name}}{{/object}}{{/object}}", "{{#list}}", "{{/list}}", "{{name", "{{{name}}", "{{}}", "{{#}}{{/}}",
    "{{#list}}{{/lists}}", "{{=<% %>=}}", "a {{name}} b {{empty}} c {{count}}\n", "{{#list}}\n  {{> head}}\n{{/list}}\0{{#texts}}{{.}}{{/texts}}",
    "{{#yes}}" * 17 + "{{/yes}}" * 17, '<a href="{{name}}">{{name}}</a>',
]
# What may become more than a text.
CHARGED = [
    "*a*_b_~c~`d`#e#!1 f!", "!red x! !-  y!", "* a* *b *", "##a##", "`*a*`", "https://example.org/a_b*c* x.org", "[a](https://example.org)",
    "[example.org](https://other.org)", "@a @'b c' #g @x.y", "+1 (234) 567-89-01 a@b.org", "/command x", " /command", "/'menu x'", "*\n*",
    "\u202e*a*", "a\r\n*b*\n", "simplex:/contact#/?v=2&smp=x", "*a*\u0301", "\u3000*a*", "<b>*<script>*</b>", "",
]
FILE = {"path": "a/b.jpg", "name": "b.jpg", "size": 5, "key": "k", "nonce": "n", "temporary": True}
ITEM = {"id": 7, "content": {"type": "text", "text": "hi"}, "sent": True, "time": 1700000000.5, "file": FILE}
# Of every form that a draft has.
DRAFTS = [
    {"preview": {"media": [{"preview": "data:,", "seconds": 3, "file": FILE}]}}, {"preview": {"voice": FILE, "seconds": 4}},
    {"preview": {"file": FILE}}, {"preview": {"link": None}}, {"context": {"reply": ITEM}}, {"context": {"edit": ITEM}},
    {"context": {"forward": [ITEM, ITEM], "from": {"kind": "group", "id": 3, "scope": "own"}}},
    {"context": {"report": ITEM, "reason": "spam"}}, {"mentions": {"kim": {"id": 4, "name": "kim", "alias": "k", "standing": "gone"}}},
    {"links": {"found": "https://a.example", "shown": "https://a.example", "pending": "https://b.example", "cancelled": ["https://c.example"]}},
    {"preview": {"link": {"type": "link", "text": "", "preview": {"uri": "https://a.example", "title": "t", "description": "", "image": ""}}}},
]


def chats(target, vectors):
    """Contents, lines and texts: of the vectors where the folder has them, and of our own."""
    def add(kind, data, number=b""):
        save(target / kind, hashlib.sha1(number + data).hexdigest(), number + data)

    for text in TEMPLATES:
        add("template", text.encode())
    for text in CHARGED:
        add("markdown", text.encode())
        add("compose", text.encode(), b"\2")
        add("compose", json.dumps({"version": 1, "text": text, "previews": "enabled"}).encode(), b"\0")
        add("compose", f"<title>{text}</title><meta property=og:image content='{text}'>".encode(), b"\1")
        message = {"rcvMsgContent": {"msgContent": {"type": "text", "text": text}}}
        person = {"id": "a2lt", "name": text}
        add("content", json.dumps(message).encode(), b"\1")
        add("content", json.dumps({
            "type": "chatItem", "id": text, "row": 1, "author": person, "time": "2025-03-01T10:00:00Z", "text": text, "content": message,
            "quote": {"id": "k", "author": person, "text": text, "content": message["rcvMsgContent"]["msgContent"]},
            "forward": {"kind": "group", "name": text}, "reactions": [{"emoji": text, "by": [person]}], "edited": True,
            "versions": [{"text": text, "time": text}, {"text": "b", "time": "2025-03-01T10:00:00Z"}], "status": "snd_rcvd ok complete",
            "mentions": [{"text": text, **person}], "deleted": {"kind": "moderated", "by": person, "time": text}, "lifetime": 60,
            "file": {"row": 1, "name": text, "size": 3, "state": "present", "path": "media/" + text}}).encode(), b"\0")
        add("content", json.dumps({"type": "chat", "id": "group-1", "kind": "group", "name": text, "about": text}).encode(), b"\2")
    for draft in DRAFTS:
        add("compose", json.dumps({"version": 1, "text": "a @kim", "previews": "enabled", **draft}).encode(), b"\0")
    for events in (range(32), range(31, -1, -1), [0x40, 22, 24], [0x60, 1, 4, 22, 24], [10, 11, 22, 24], [18, 0x40, 19, 20, 19, 22], [14, 0x40, 22]):
        add("compose", bytes(events), b"\3")
    for text in ("snd_new", "snd_sent complete", "snd_rcvd badMsgHash partial", "snd_error AUTH", "snd_warning other x", "rcv_new", "rcv_read",
                 "invalid x", "snd_complete", "rcv_accepted", "snd_cancelled", "2025-03-01 10:00:00.123"):
        add("content", text.encode(), b"\3")
    for name, kind, number, key in (("items", "content", b"\1", "item_content"), ("markdown", "markdown", b"", "text")):
        path = vectors / f"{name}.jsonl"
        for line in path.read_text().splitlines() if path.exists() else []:
            if (text := json.loads(line).get(key)) and len(text) < 1500:
                add(kind, text.encode("utf-8", "replace"), number)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1])
    zips(target)
    pages(target)
    texts(target)
    wires(target)
    descriptions(target)
    stores(target)
    stores_of_tcfs(target)
    stores_of_session(target)
    chats(target, TESTS / "2-Formats/ChatSchema/Fixtures/chat-log")
