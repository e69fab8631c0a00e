"""Reads a session.bak as the sheet on Session's formats describes it: an independent reader of what the tests write.

Usage: unpack-backup.py BACKUP PASSWORD. Prints each file's path, size, flag and SHA-256, then the key in it."""
import base64
import hashlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

data = open(sys.argv[1], "rb").read()
password = sys.argv[2].encode()
cipher = AESGCM(HKDF(SHA256(), 32, bytes(16), None).derive(password))
place = 0


def frame(width):
    global place
    length = int.from_bytes(data[place : place + width], "little")
    block = data[place + width : place + width + length]
    assert len(block) == length
    place += width + length
    return cipher.decrypt(block[:12], block[12:], None)


assert struct.unpack("<I", frame(1)) == (1,)
files, extra = struct.unpack("<II", frame(8))
for _ in range(files + extra):
    description = frame(8)
    (length,) = struct.unpack_from("<I", description)
    path = description[4 : 4 + length].decode()
    size, flag = struct.unpack("<QB", description[4 + length :])
    content = b""
    while len(content) < size:
        content += frame(4)
    assert len(content) == size
    print(path, size, flag, hashlib.sha256(content).hexdigest())
    if path == "_extra/key.enc":
        sealed = base64.b64decode(content, validate=True)
        key = ChaCha20Poly1305(hashlib.sha256(password).digest())
        included = key.decrypt(sealed[:12], sealed[12:], None)
assert place == len(data)
print(included.hex())
