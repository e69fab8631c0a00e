"""Makes the key of a repository cheap to derive, as no program would write it: each command that opens a repository takes half
a second of the processor for it, and the transcripts have two hundred."""

import base64
import hashlib
import json
import os
import pathlib

from cryptography.hazmat.primitives import poly1305
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

N, R, P = 2, 1, 1


def parts(password: bytes, key: dict) -> tuple[bytes, bytes, bytes]:
    derived = hashlib.scrypt(
        password, salt=base64.b64decode(key["salt"]), n=key["N"], r=key["r"], p=key["p"], maxmem=1 << 30, dklen=64)
    return derived[:32], derived[32:48], derived[48:]


def transform(key: bytes, vector: bytes, content: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.CTR(vector)).encryptor()
    return cipher.update(content) + cipher.finalize()


def seal(encryption: bytes, k: bytes, r: bytes, vector: bytes, content: bytes) -> bytes:
    encrypted = transform(encryption, vector, content)
    block = Cipher(algorithms.AES(k), modes.ECB()).encryptor()
    tag = poly1305.Poly1305.generate_tag(r + block.update(vector) + block.finalize(), encrypted)
    return vector + encrypted + tag


def opened(password: str, key: dict) -> bytes:
    """The text of the master key, without a look at its tag."""
    encryption, _, _ = parts(password.encode(), key)
    data = base64.b64decode(key["data"])
    return transform(encryption, data[:16], data[16:-16])


def add_cheap(folder: pathlib.Path, password: str, key: dict, master: bytes) -> None:
    """Stores a key of a password: the fields of another one, cheap to derive."""
    key = {**key, "N": N, "r": R, "p": P, "salt": base64.b64encode(os.urandom(64)).decode()}
    key["data"] = base64.b64encode(seal(*parts(password.encode(), key), os.urandom(16), master)).decode()
    content = json.dumps(key, separators=(",", ":")).encode()
    new = folder / hashlib.sha256(content).hexdigest()
    new.write_bytes(content)
    new.chmod(0o400)


def make_cheap(repository: pathlib.Path, password: str, *others: str) -> None:
    """Replaces its only key by one of the same password, and adds further passwords."""
    folder = repository / "keys"
    old, = folder.iterdir()
    key = json.loads(old.read_text())
    master = opened(password, key)
    for each in [password, *others]:
        add_cheap(folder, each, key, master)
    old.unlink()


def put(repository: pathlib.Path, password: str, kind: str, content: bytes) -> pathlib.Path:
    """Stores a file of a kind, such as a lock, as a program of that format does. The only key is of that password."""
    key, = (repository / "keys").iterdir()
    master = json.loads(opened(password, json.loads(key.read_text())))
    encryption, k, r = (base64.b64decode(text) for text in [master["encrypt"], master["mac"]["k"], master["mac"]["r"]])
    return put_bytes(repository, kind, seal(encryption, k, r, os.urandom(16), content))


def put_bytes(repository: pathlib.Path, kind: str, content: bytes) -> pathlib.Path:
    """The same of what is not sealed."""
    path = repository / kind / hashlib.sha256(content).hexdigest()
    path.write_bytes(content)
    path.chmod(0o400)
    return path
