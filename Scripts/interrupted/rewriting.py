"""Makes records fit the place and the time that they are restored to: paths, inodes, addresses and times.

Everything is replaced by something of the same length, so that no length within a record changes.
"""

import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess

INODE = re.compile(rb'"inode":(\d+)')
DEVICE = re.compile(rb'"device":(\d+)')
# Of a record, not of the files that it names: those keep theirs.
DATE = re.compile(rb'(?:(?<="created":)|(?<="changed":)|(?<="expires":))(1[78]\d{8})(?!\d)')
MOMENT = re.compile(rb"(?<![\d.])(1[78]\d{8})(?![\d.])")
# What was made during the days around it is a time of it, and no size.
AROUND = 4 * 86_400
MAGIC = b"valise transfer 1\n"
# Records of an upload that begin with when it was made.
DATED = (1, 9)


class Rewriting:
    def __init__(self, texts: dict[str, str], files: dict, made: int, now: int) -> None:
        """texts: what is replaced by what; files: as Fixture.restore says."""
        self.texts = {old.encode(): new.encode() for old, new in texts.items()}
        if any(len(old) != len(new) for old, new in self.texts.items()):
            raise ValueError(f"lengths differ: {texts}")
        self.inodes = {inode: found.st_ino for (_, inode), found in files.items()}
        self.identities = {
            identity: (found.st_dev, found.st_ino) for identity, found in files.items()}
        self.made, self.later = made, now - made

    def text(self, content: bytes) -> bytes:
        for old, new in self.texts.items():
            content = content.replace(old, new)
        content = INODE.sub(lambda match: b'"inode":%d' % self.inodes.get(int(match[1]), int(match[1])), content)
        return DATE.sub(self.moment, content)

    def moment(self, match: re.Match) -> bytes:
        seconds = int(match[1])
        return b"%d" % (seconds + self.later) if abs(seconds - self.made) < AROUND else match[0]

    def journal(self, content: bytes, isUpload: bool) -> bytes:
        """Of a transfer: records with their checksums; what is not whole stays as it is."""
        if not content.startswith(MAGIC):
            return content
        result, offset = bytearray(MAGIC), len(MAGIC)
        while offset + 4 <= len(content):
            length = struct.unpack_from(">I", content, offset)[0]
            record = content[offset + 4:offset + 4 + length]
            if len(record) < length or len(content) < offset + length + 12:
                break
            for old, new in self.texts.items():
                record = record.replace(old, new)
            for (device, inode), (newDevice, newInode) in self.identities.items():
                record = record.replace(struct.pack(">QQ", device, inode), struct.pack(">QQ", newDevice, newInode))
            if isUpload and record[0] in DATED:
                created = struct.unpack_from(">Q", record, 1)[0]
                record = record[:1] + struct.pack(">Q", created + self.later) + record[9:]
            result += struct.pack(">I", length) + record + hashlib.sha256(record).digest()[:8]
            offset += length + 12
        return bytes(result) + content[offset:]

    def apply(self, root: pathlib.Path) -> None:
        for path in sorted(root.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            if path.name == "journal" and path.parent.name.startswith((".valise-upload-", "upload-", ".valise-receive-")):
                path.write_bytes(self.journal(path.read_bytes(), "upload" in path.parent.name))
            elif path.name in ("journal.json", "move.json", "journal.json.new", "move.json.new", "serving.json"):
                path.write_bytes(self.text(path.read_bytes()))
            elif path.name == "queue.db":
                self.queue(path)
            elif path.name == "file-server.ini" or path.suffix == ".xftp" or path.name.endswith(".private"):
                path.write_bytes(self.text(path.read_bytes()))
            elif path.name == "file-server-store.log":
                path.write_bytes(MOMENT.sub(self.moment, path.read_bytes()))

    def queue(self, path: pathlib.Path) -> None:
        """The jobs, by the shell of SQLCipher."""
        key = (path.parent / "key").read_bytes().hex()
        opening = f"PRAGMA key = \"x'{key}'\";\n"
        # Killed while it was made.
        if path.stat().st_size == 0 or " jobs" not in shell(path, f"{opening}SELECT type, name FROM sqlite_master;").replace("|", " "):
            return
        columns = ["title", "unique_key", "payload", "checkpoint", "result", "reason"]
        parts = ", ".join(f"hex({column}) AS {column}, typeof({column}) AS {column}_type" for column in columns)
        rows = shell(path, f"{opening}.mode json\nSELECT job_id, {parts} FROM jobs;")
        lines = [line for line in rows.splitlines() if line != "ok"]
        statements = []
        for job in json.loads("\n".join(lines) or "[]"):
            for column in columns:
                kind, old = job[f"{column}_type"], bytes.fromhex(job[column] or "")
                new = self.text(old)
                if kind != "null" and new != old:
                    value = f"x'{new.hex()}'" if kind == "blob" else f"CAST(x'{new.hex()}' AS TEXT)"
                    statements.append(f"UPDATE jobs SET {column} = {value} WHERE job_id = {job['job_id']};")
        shell(path, opening + "\n".join(statements) + "\nPRAGMA wal_checkpoint(TRUNCATE);")


def shell(path: pathlib.Path, script: str, preload: str | None = None) -> str:
    environment = {**os.environ, "LD_PRELOAD": preload} if preload else None
    result = subprocess.run(["sqlcipher", path], input=script, capture_output=True, text=True, env=environment)
    if result.returncode != 0 or "Error" in result.stderr:
        raise RuntimeError(f"sqlcipher {path}: {result.stderr}{result.stdout[:300]}")
    return result.stdout
