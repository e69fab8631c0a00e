#!/usr/bin/env python3
"""The proof of an account in plain databases, read from Documentation/formats/move.md by another program.

usage: proof.py FOLDER    prints the three digests and the first eight bytes of the words' digest
"""
import hashlib, os, sqlite3, struct, sys


def encode(value):
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\2" + struct.pack(">d", value)
    kind, data = (b"\3", value.encode()) if isinstance(value, str) else (b"\4", bytes(value))
    return kind + struct.pack(">Q", len(data)) + data


class Text(bytes):
    """Text as it is stored."""


def encode_row(row):
    return b"".join(
        b"\3" + struct.pack(">Q", len(v)) + v if isinstance(v, Text) else encode(v) for v in row)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def database(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    schema = hashlib.sha256()
    for row in db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%'"
                          " ESCAPE '\\' ORDER BY type, name, tbl_name"):
        schema.update(encode_row(row))
    names = [(r[1], r[4]) for r in db.execute("PRAGMA table_list")
             if r[0] == "main" and r[2] in ("table", "shadow")
             and (not r[1].startswith("sqlite_") or r[1] == "sqlite_sequence")]
    names.sort(key=lambda pair: pair[0].encode())
    version = db.execute("PRAGMA user_version").fetchone()[0]
    out = [encode("valise database content 1"), encode(version), encode(schema.digest()), encode(len(names))]
    db.text_factory = Text
    for name, without_rowid in names:
        info = db.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
        columns = [r[1].decode() for r in info if r[6] == 0]
        order = ", ".join(quoted(c) for c in columns) if name == "sqlite_sequence" else "rowid"
        if without_rowid:
            key = sorted((r[5], r[1].decode()) for r in info if r[5])
            order = ", ".join(quoted(c) for _, c in key)
        rows, digest = 0, hashlib.sha256()
        fields = ", ".join(quoted(c) for c in columns)
        for row in db.execute(f"SELECT {fields} FROM {quoted(name)} ORDER BY {order}"):
            digest.update(encode_row(row))
            rows += 1
        out += [encode(name), encode(len(columns))] + [encode(c) for c in columns]
        out += [encode(rows), encode(digest.digest())]
    return hashlib.sha256(b"".join(out)).digest()


def media(folder):
    files = []
    for local, name in (("simplex_v1_assets/wallpapers", "simplex_v1_assets/wallpapers"),
                        ("simplex_v1_files", "simplex_v1_files")):
        where = os.path.join(folder, local)
        for file in os.listdir(where) if os.path.isdir(where) else []:
            with open(os.path.join(where, file), "rb") as opened:
                data = opened.read()
            files.append((f"{name}/{file}", len(data), hashlib.sha256(data).digest()))
    files.sort(key=lambda file: file[0].encode())
    out = [encode("valise media list 1"), encode(len(files))]
    return hashlib.sha256(b"".join(out + [encode_row(file) for file in files])).digest()


folder = sys.argv[1]
parts = [database(f"{folder}/simplex_v1_{kind}.db") for kind in ("chat", "agent")] + [media(folder)]
print(*[part.hex() for part in parts], hashlib.sha256(b"valise move proof 1" + b"".join(parts)).digest()[:8].hex())
