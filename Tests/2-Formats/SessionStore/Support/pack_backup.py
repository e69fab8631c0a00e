"""Writes a session.bak as the sheet on Session's formats describes it: an independent writer of what is read here.

Usage: pack_backup.py FOLDER KEY PASSWORD BACKUP. KEY is that of the database, 48 bytes in hexadecimal digits.
"""
import base64
import hashlib
import os
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

folder, key = pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[2])
password = sys.argv[3].encode()
cipher = AESGCM(HKDF(SHA256(), 32, bytes(16), None).derive(password))

nonce = os.urandom(12)
included = base64.b64encode(nonce + ChaCha20Poly1305(hashlib.sha256(password).digest()).encrypt(nonce, key, None))
files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))

with open(sys.argv[4], "wb") as output:

    def frame(width, plaintext):
        start = os.urandom(12)
        block = start + cipher.encrypt(start, plaintext, None)
        output.write(len(block).to_bytes(width, "little") + block)

    def add(path, content, flag):
        name = path.encode()
        frame(8, struct.pack("<I", len(name)) + name + struct.pack("<QB", len(content), flag))
        for place in range(0, len(content), 4096):
            frame(4, content[place : place + 4096])

    frame(1, struct.pack("<I", 1))
    frame(8, struct.pack("<II", len(files), 1))
    for path in files:
        add(path.relative_to(folder).as_posix(), path.read_bytes(), 0)
    add("_extra/key.enc", included, 1)
