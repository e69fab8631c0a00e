"""Makes the key of a repository cheap to derive, as no program would write it: each command that opens a repository takes half
a second of the processor for it, and the transcripts have two hundred."""

import base64
import hashlib
import json
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


def make_cheap(repository: pathlib.Path, *passwords: str) -> None:
    """Replaces each key by one of the same password, which has to be among these."""
    for old in list((repository / "keys").iterdir()):
        key = json.loads(old.read_text())
        if key["N"] != N:
            replace(old, key, passwords)


def replace(old: pathlib.Path, key: dict, passwords: tuple[str, ...]) -> None:
    data = base64.b64decode(key["data"])
    for password in passwords:
        encryption, k, r = parts(password.encode(), key)
        master = transform(encryption, data[:16], data[16:-16])
        if seal(encryption, k, r, data[:16], master) == data:
            break
    else:
        raise ValueError(f"none of the passwords opens {old.name}")
    key.update(N=N, r=R, p=P)
    encryption, k, r = parts(password.encode(), key)
    key["data"] = base64.b64encode(seal(encryption, k, r, data[:16], master)).decode()
    content = json.dumps(key, separators=(",", ":")).encode()
    new = old.with_name(hashlib.sha256(content).hexdigest())
    new.write_bytes(content)
    new.chmod(0o400)
    old.unlink()
