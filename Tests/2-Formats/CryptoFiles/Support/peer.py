"""Encrypts a file as CryptoFile by other programs: peer.py KEY NONCE FILE, key and nonce in hexadecimal.

HSalsa20 is written out here from its specification; secretbox is PyNaCl's, or libsodium's by ctypes. Prints which,
and the SHA-256 of the result.
"""

import ctypes
import ctypes.util
import hashlib
import struct
import sys


def hsalsa20(key, block):
    constants = struct.unpack("<4I", b"expand 32-byte k")
    k, n = struct.unpack("<8I", key), struct.unpack("<4I", block)
    x = [constants[0], *k[:4], constants[1], *n, constants[2], *k[4:], constants[3]]

    def rotate(value, count):
        value &= 0xFFFFFFFF
        return (value << count | value >> (32 - count)) & 0xFFFFFFFF

    def quarter(a, b, c, d):
        x[b] ^= rotate(x[a] + x[d], 7)
        x[c] ^= rotate(x[b] + x[a], 9)
        x[d] ^= rotate(x[c] + x[b], 13)
        x[a] ^= rotate(x[d] + x[c], 18)

    for _ in range(10):
        for column in ((0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11)):
            quarter(*column)
        for row in ((0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14)):
            quarter(*row)
    return struct.pack("<8I", *(x[i] for i in (0, 5, 10, 15, 6, 7, 8, 9)))


def secretbox(message, nonce, key):
    try:
        from nacl.bindings import crypto_secretbox

        return "PyNaCl", crypto_secretbox(message, nonce, key)
    except ImportError:
        library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
        library.sodium_init()
        box = ctypes.create_string_buffer(len(message) + 16)
        library.crypto_secretbox_easy(box, message, ctypes.c_ulonglong(len(message)), nonce, key)
        return "libsodium", box.raw


if __name__ == "__main__":
    key, nonce = bytes.fromhex(sys.argv[1]), bytes.fromhex(sys.argv[2])
    with open(sys.argv[3], "rb") as file:
        which, box = secretbox(file.read(), nonce, hsalsa20(key, bytes(16)))
    print(which, hashlib.sha256(box[16:] + box[:16]).hexdigest())
