"""Attachments of Session by other programs, knowing only the format's description.

    session_peer.py open FORM KEY FILE SIZE     prints the SHA-256 of the content
    session_peer.py seal FORM KEY START IN OUT  writes an attachment; START is the vector or the header

FORM is legacy, stream or local; keys and starts are hexadecimal. AES is the package cryptography's, or the program openssl;
secretstream is PyNaCl's, or libsodium by ctypes.
"""

import ctypes
import ctypes.util
import hashlib
import hmac
import subprocess
import sys

OVERHEAD, PIECE = 17, 32768
MESSAGE, FINAL = 0, 3


def aes(key, vector, data, seal):
    try:
        from cryptography.hazmat.primitives import padding
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        cipher, pad = Cipher(algorithms.AES(key), modes.CBC(vector)), padding.PKCS7(128)
        if seal:
            padder, run = pad.padder(), cipher.encryptor()
            return run.update(padder.update(data) + padder.finalize()) + run.finalize()
        unpadder, run = pad.unpadder(), cipher.decryptor()
        return unpadder.update(run.update(data) + run.finalize()) + unpadder.finalize()
    except ImportError:
        way = ["-e"] if seal else ["-d"]
        command = ["openssl", "enc", "-aes-256-cbc", *way, "-K", key.hex(), "-iv", vector.hex()]
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout


class Stream:
    """secretstream of a given header."""

    def __init__(self, key, header):
        try:
            from nacl import bindings

            self.library, self.bindings = None, bindings
            self.state = bindings.crypto_secretstream_xchacha20poly1305_state()
            bindings.crypto_secretstream_xchacha20poly1305_init_pull(self.state, header, key)
        except ImportError:
            self.library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
            self.state = ctypes.create_string_buffer(64)
            self.library.crypto_secretstream_xchacha20poly1305_init_pull(self.state, header, key)

    def pull(self, data):
        if self.library is None:
            return self.bindings.crypto_secretstream_xchacha20poly1305_pull(self.state, data)
        content, tag = ctypes.create_string_buffer(max(1, len(data) - OVERHEAD)), ctypes.c_ubyte()
        result = self.library.crypto_secretstream_xchacha20poly1305_pull(
            self.state, content, None, ctypes.byref(tag), data, ctypes.c_ulonglong(len(data)), None, ctypes.c_ulonglong(0))
        if result != 0:
            sys.exit("not authentic")
        return content.raw[: len(data) - OVERHEAD], tag.value

    def push(self, data, tag):
        if self.library is None:
            return self.bindings.crypto_secretstream_xchacha20poly1305_push(self.state, data, tag=tag)
        sealed = ctypes.create_string_buffer(len(data) + OVERHEAD)
        self.library.crypto_secretstream_xchacha20poly1305_push(
            self.state, sealed, None, data, ctypes.c_ulonglong(len(data)), None, ctypes.c_ulonglong(0), ctypes.c_ubyte(tag))
        return sealed.raw


def need(condition, what):
    if not condition:
        sys.exit(what)


def open_legacy(key, data, size):
    need(hmac.digest(key[32:], data[:-32], "sha256") == data[-32:], "another code")
    return aes(key[:32], data[:16], data[16:-32], seal=False)[:size]


def open_stream(key, data, size):
    need(data[:1] == b"S", "another mark")
    stream, content, tags = Stream(key, data[1:25]), b"", []
    for start in range(25, len(data), PIECE + OVERHEAD):
        piece, tag = stream.pull(data[start : start + PIECE + OVERHEAD])
        content += piece
        tags.append(tag)
    need(tags == [MESSAGE] * (len(tags) - 1) + [FINAL], "other tags")
    unpadded = content.lstrip(b"\0")
    need(unpadded[:1] == b"\1", "another padding")
    return unpadded[1:]


def open_local(key, data, size):
    content, tag = Stream(key, data[:24]).pull(data[24:])
    need(tag == FINAL, "another tag")
    return content


def seal_legacy(key, vector, content):
    sealed = vector + aes(key[:32], vector, content + bytes(max(0, 541 - len(content))), seal=True)
    return sealed + hmac.digest(key[32:], sealed, "sha256")


def seal_stream(key, header, content):
    stream, padded, file = Stream(key, header), bytes(99) + b"\1" + content, b"S" + header
    for start in range(0, len(padded), PIECE):
        file += stream.push(padded[start : start + PIECE], FINAL if start + PIECE >= len(padded) else MESSAGE)
    return file


def seal_local(key, header, content):
    return header + Stream(key, header).push(content, FINAL)


if __name__ == "__main__":
    action, form, key = sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3])
    if action == "open":
        with open(sys.argv[4], "rb") as file:
            content = globals()[f"open_{form}"](key, file.read(), int(sys.argv[5]))
        print(hashlib.sha256(content).hexdigest())
    else:
        with open(sys.argv[5], "rb") as file:
            content = file.read()
        with open(sys.argv[6], "wb") as file:
            file.write(globals()[f"seal_{form}"](key, bytes.fromhex(sys.argv[4]), content))
