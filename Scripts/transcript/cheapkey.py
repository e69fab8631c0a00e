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


def master_of(key: dict, password: str) -> bytes | None:
    """The master key in a key; none where the password is another one."""
    encryption, k, r = parts(password.encode(), key)
    data = base64.b64decode(key["data"])
    master = transform(encryption, data[:16], data[16:-16])
    return master if seal(encryption, k, r, data[:16], master) == data else None


def opened(repository: pathlib.Path, password: str) -> tuple[pathlib.Path, dict, bytes]:
    """Its only key: the file, what it says, and the master key in it."""
    file, = (repository / "keys").iterdir()
    key = json.loads(file.read_text())
    master = master_of(key, password)
    if master is None:
        raise ValueError(f"the password does not open {file.name}")
    return file, key, master


def master_parts(master: bytes) -> tuple[bytes, bytes, bytes]:
    """What `seal` takes, of a master key."""
    said = json.loads(master)
    return tuple(base64.b64decode(part) for part in (said["encrypt"], said["mac"]["k"], said["mac"]["r"]))


def add_cheap(folder: pathlib.Path, password: str, key: dict, master: bytes) -> None:
    """Stores a key of a password: the fields of another one, cheap to derive."""
    key = {**key, "N": N, "r": R, "p": P, "salt": base64.b64encode(os.urandom(64)).decode()}
    key["data"] = base64.b64encode(seal(*parts(password.encode(), key), os.urandom(16), master)).decode()
    put_bytes(folder, json.dumps(key, separators=(",", ":")).encode())


def make_cheap(repository: pathlib.Path, password: str, *others: str) -> None:
    """Replaces its only key by one of the same password, and adds further passwords."""
    old, key, master = opened(repository, password)
    for each in [password, *others]:
        add_cheap(old.parent, each, key, master)
    old.unlink()


def put(repository: pathlib.Path, password: str, kind: str, content: bytes) -> pathlib.Path:
    """Stores a file of a kind, such as a lock, as a program of that format does. The only key is of that password."""
    _, _, master = opened(repository, password)
    return put_bytes(repository / kind, seal(*master_parts(master), os.urandom(16), content))


def put_bytes(folder: pathlib.Path, content: bytes) -> pathlib.Path:
    """Stores a file under the name that its content has."""
    path = folder / hashlib.sha256(content).hexdigest()
    path.write_bytes(content)
    path.chmod(0o400)
    return path


def cheapen_keys(repository: pathlib.Path, *passwords: str) -> None:
    """Replaces each key that is not cheap by one of the same password, which has to be among these."""
    for old in list((repository / "keys").iterdir()):
        key = json.loads(old.read_text())
        if key["N"] == N:
            continue
        for password in passwords:
            master = master_of(key, password)
            if master is not None:
                break
        else:
            raise ValueError(f"none of the passwords opens {old.name}")
        add_cheap(old.parent, password, key, master)
        old.unlink()
