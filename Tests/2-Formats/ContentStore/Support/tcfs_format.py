"""What stores of tcfs are made of: names, documents and encryption, for the reader and the writer beside this.

Written from the format's description alone, and no part of it is what Valise is built of: BLAKE3 is that of PyPI (the Rust crate),
ChaCha20-Poly1305 is that of OpenSSL with HChaCha20 in front of it here, and age is that of pyrage.
"""

import base64
import binascii
import importlib.util
import json
import os
import pathlib
import re
import struct
import sys
import unicodedata

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "valise"
# The Python of what Scripts/servers/get-store-peers.sh got.
PEERS = CACHE / "store-peers/bin/python"

NEEDED = ["blake3", "cryptography", "pyfastcdc", "pyrage"]

if any(importlib.util.find_spec(module) is None for module in NEEDED):
    if not PEERS.exists() or pathlib.Path(sys.prefix) == PEERS.parent.parent:
        sys.exit(f"missing: {', '.join(NEEDED)}; Scripts/servers/get-store-peers.sh gets them")
    os.execv(PEERS, [str(PEERS), *sys.orig_argv[1:]])

from blake3 import blake3  # noqa: E402
from cryptography.exceptions import InvalidTag  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: E402

MANIFEST_LABEL = b"tcfs-sync-manifest-object-v1"
SYMLINK_LABEL = b"tcfs-symlink-v1"
RESERVATION_LABEL = b"tcfs-portable-namespace-reservation-v1"

# What a chunk has in front of its ciphertext and behind it.
NONCE, TAG = 24, 16
DIRECTORY_MARKER = b"type=directory\n"
MARKER_NAME = ".tcfs_dir"
WRAP_ALGORITHM = "age-x25519-v1"

HEX = re.compile(r"[0-9a-f]{64}")
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "123456789\u00b9\u00b2\u00b3"}


class Contradiction(Exception):
    """A store does not say what it has to."""


def demand(holds: bool, reason: str) -> None:
    if not holds:
        raise Contradiction(reason)


def digest(content: bytes) -> str:
    return blake3(content).hexdigest()


def labelled(label: bytes, content: bytes) -> str:
    return digest(label + b"\0" + content)


# Encryption

MASK = 0xFFFFFFFF


def hchacha20(key: bytes, nonce: bytes) -> bytes:
    """A key of 32 bytes from another one and the first 16 bytes of a nonce (draft-irtf-cfrg-xchacha, 2.2)."""
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & MASK
            mixed = state[z] ^ state[x]
            state[z] = ((mixed << turn) | (mixed >> (32 - turn))) & MASK

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return struct.pack("<8I", *state[:4], *state[12:])


def parts(key: bytes, nonce: bytes) -> tuple[ChaCha20Poly1305, bytes]:
    """The cipher and its nonce of 12 bytes."""
    return ChaCha20Poly1305(hchacha20(key, nonce[:16])), bytes(4) + nonce[16:]


def seal(key: bytes, content: bytes, associated: bytes | None) -> bytes:
    nonce = os.urandom(NONCE)
    cipher, short = parts(key, nonce)
    return nonce + cipher.encrypt(short, content, associated)


def opened(key: bytes, sealed: bytes, associated: bytes | None, what: str) -> bytes:
    demand(len(sealed) >= NONCE + TAG, f"{what}: {len(sealed)} bytes are too few to be encrypted")
    cipher, short = parts(key, sealed[:NONCE])
    try:
        return cipher.decrypt(short, sealed[NONCE:], associated)
    except InvalidTag:
        raise Contradiction(f"{what}: the tag does not fit the key and the place") from None


def place(index: int, file_hash: str) -> bytes:
    """What binds a chunk to its file and its place in it."""
    return struct.pack(">Q", index) + bytes.fromhex(file_hash)


def decoded(text: str, size: int, what: str) -> bytes:
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Contradiction(f"{what}: not Base64") from None
    demand(len(content) == size, f"{what}: {len(content)} bytes, not {size}")
    return content


def unwrapped(manifest: dict, master: bytes | None, identity: str | None, device: str | None) -> bytes | None:
    """The key of a file by the wrap of a device, else by the master key; None where the file is not encrypted."""
    wraps = [
        wrap for wrap in manifest.get("wrapped_file_keys", [])
        if wrap["algorithm"] == WRAP_ALGORITHM and device in (None, wrap["recipient_device_id"])]
    if identity and wraps:
        import pyrage
        for wrap in wraps:
            try:
                key = pyrage.decrypt(wrap["wrapped_key"].encode(), [pyrage.x25519.Identity.from_str(identity)])
            except pyrage.DecryptError:
                continue
            demand(len(key) == 32, "the wrapped key of a device does not have 32 bytes")
            return key
    text = manifest.get("encrypted_file_key")
    if text is None:
        demand(not manifest.get("wrapped_file_keys"), "no identity opens a wrapped key, and there is no other one")
        return None
    demand(master is not None, "a master key is needed")
    return opened(master, decoded(text, 72, "encrypted_file_key"), None, "encrypted_file_key")


# Names

def is_component(name: str) -> bool:
    """One part of a key."""
    return (name not in ("", ".", "..") and name == name.strip() and not re.search(r"[/\\]", name)
            and not any(unicodedata.category(character) == "Cc" for character in name))


def why_not_canonical(path: str) -> str | None:
    """Why no program of now would write this relative path."""
    if unicodedata.normalize("NFC", path) != path:
        return "not in the form NFC"
    for name in path.split("/"):
        if name in ("", ".", ".."):
            return "an empty component, or a step up"
        if any(unicodedata.category(character) == "Cc" for character in name) or re.search(r'[\\<>:"|?*]', name):
            return "a character that is not portable"
        if name[-1] == "." or name[-1].isspace():
            return "a component that ends with a dot or a blank"
        folded = name.casefold()
        if folded.split(".")[0].rstrip() in DEVICES:
            return "the name of a device"
        if folded == "git~1" or (folded == ".git" and name != ".git"):
            return "another spelling of .git"
        if folded == MARKER_NAME:
            return "the name of a marker"
    return None


def folded(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())


def reservation_name(path: str) -> str:
    return labelled(RESERVATION_LABEL, folded(path).encode())


# Documents

def without_repetition(pairs: list) -> dict:
    names = [name for name, _ in pairs]
    demand(len(set(names)) == len(names), f"a field is repeated: {names}")
    return dict(pairs)


def parsed(content: bytes, what: str) -> dict:
    try:
        value = json.loads(content.decode(), object_pairs_hook=without_repetition)
        # Half of a character is no text.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Contradiction(f"{what}: not JSON ({error})") from None
    demand(isinstance(value, dict), f"{what}: not an object of JSON")
    return value


def pretty(document: dict) -> bytes:
    return json.dumps(document, indent=2, ensure_ascii=False).encode()


def field(document: dict, name: str, kind: type, what: str, bits: int = 64, is_signed: bool = False):
    """A field that has to be there, an integer within its bits."""
    demand(name in document, f"{what}: {name} is missing")
    value = document[name]
    demand(type(value) is kind, f"{what}: {name} is not of its kind: {value!r}")
    if kind is int:
        least = -(1 << bits - 1) if is_signed else 0
        demand(least <= value < least + (1 << bits), f"{what}: {name} is out of range: {value}")
    return value


def text_entry(manifest_hash: str, size: int, chunks: int) -> bytes:
    return f"manifest_hash={manifest_hash}\nsize={size}\nchunks={chunks}\n".encode()
