"""Reads a restic repository's files by other means than Valise: from the format's description only.

  peer.py key PASSWORD KEYFILE     prints the master key in hexadecimal: encryption key, k, r
  peer.py seal KEY VECTOR FILE     prints the sealed form of a file in hexadecimal
  peer.py open KEY FILE            prints length and SHA-256 of the content
  peer.py unpacked KEY FILE        prints length and SHA-256 of the JSON of an index, a snapshot, a lock
  peer.py pack KEY FILE            verifies all blobs; prints type, digest, offset, sealed length, length of each
  peer.py polynomial HEX           prints whether it is irreducible, by dividing by nothing but powers of x (Rabin's test)

AES is that of the package cryptography where it is installed, and written out here otherwise. Poly1305 is always written out.
The first line of the output says which.
"""

import base64
import ctypes
import ctypes.util
import hashlib
import json
import struct
import sys

try:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    WHICH = "cryptography"

    def aes_block(key, block):
        return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)

    def aes_counter(key, vector, data):
        return Cipher(algorithms.AES(key), modes.CTR(vector)).encryptor().update(data)

except ImportError:
    WHICH = "plain Python"

    def times2(value):
        return (value << 1 ^ (0x11B if value & 0x80 else 0)) & 0xFF

    def make_sbox():
        box, power, inverse = [0] * 256, 1, 1
        box[0] = 0x63
        while True:
            power ^= times2(power)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            inverse &= 0xFF
            if inverse & 0x80:
                inverse ^= 0x09
            turned = inverse | inverse << 8
            box[power] = (inverse ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4) & 0xFF ^ 0x63
            if power == 1:
                return box

    SBOX = make_sbox()
    SCHEDULES = {}

    def schedule(key):
        if key not in SCHEDULES:
            size = len(key) // 4
            words = [list(key[4 * i : 4 * i + 4]) for i in range(size)]
            constant = 1
            for i in range(size, 4 * (size + 7)):
                word = list(words[-1])
                if i % size == 0:
                    word = [SBOX[b] for b in word[1:] + word[:1]]
                    word[0] ^= constant
                    constant = times2(constant)
                elif size > 6 and i % size == 4:
                    word = [SBOX[b] for b in word]
                words.append([a ^ b for a, b in zip(word, words[i - size])])
            SCHEDULES[key] = [sum(words[i : i + 4], []) for i in range(0, len(words), 4)]
        return SCHEDULES[key]

    def aes_block(key, block):
        rounds = schedule(key)
        state = [a ^ b for a, b in zip(block, rounds[0])]
        for number, round_key in enumerate(rounds[1:], 1):
            state = [SBOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
            if number < len(rounds) - 1:
                mixed = []
                for column in range(0, 16, 4):
                    a = state[column : column + 4]
                    every = a[0] ^ a[1] ^ a[2] ^ a[3]
                    mixed += [a[i] ^ every ^ times2(a[i] ^ a[(i + 1) % 4]) for i in range(4)]
                state = mixed
            state = [a ^ b for a, b in zip(state, round_key)]
        return bytes(state)

    def aes_counter(key, vector, data):
        counter, output = int.from_bytes(vector, "big"), bytearray()
        for start in range(0, len(data), 16):
            stream = aes_block(key, (counter % (1 << 128)).to_bytes(16, "big"))
            output += bytes(a ^ b for a, b in zip(data[start : start + 16], stream))
            counter += 1
        return bytes(output)


def poly1305(message, r, s):
    r = int.from_bytes(r, "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start : start + 16] + b"\1", "little")) * r % ((1 << 130) - 5)
    return ((total + int.from_bytes(s, "little")) % (1 << 128)).to_bytes(16, "little")


def seal(key, vector, plain):
    encrypted = aes_counter(key[:32], vector, plain)
    return vector + encrypted + poly1305(encrypted, key[48:64], aes_block(key[32:48], vector))


def open_sealed(key, sealed):
    vector, encrypted, tag = sealed[:16], sealed[16:-16], sealed[-16:]
    if poly1305(encrypted, key[48:64], aes_block(key[32:48], vector)) != tag:
        sys.exit("tag does not match")
    return aes_counter(key[:32], vector, encrypted)


def decompress(frame, size):
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    output = ctypes.create_string_buffer(max(size, 1))
    count = library.ZSTD_decompress(output, ctypes.c_size_t(size), frame, ctypes.c_size_t(len(frame)))
    if count > size:
        sys.exit("not a zstd frame")
    return output.raw[:count]


def unlock(password, text):
    file = json.loads(text)
    salt, n, r, p = base64.b64decode(file["salt"]), file["N"], file["r"], file["p"]
    if len(salt) != 64 or file["kdf"] != "scrypt":
        sys.exit("not a key file of restic")
    key = hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=129 * n * r + (1 << 21), dklen=64)
    master = json.loads(open_sealed(key, base64.b64decode(file["data"])))
    return b"".join(
        base64.b64decode(text) for text in (master["encrypt"], master["mac"]["k"], master["mac"]["r"])
    )


def blobs(key, pack):
    (length,) = struct.unpack("<I", pack[-4:])
    header, offset = open_sealed(key, pack[-4 - length : -4]), 0
    while header:
        kind = header[0]
        size, plain_size = struct.unpack("<II" if kind > 1 else "<I", header[1 : 9 if kind > 1 else 5]) + (() if kind > 1 else (0,))
        entry = 41 if kind > 1 else 37
        plain = open_sealed(key, pack[offset : offset + size])
        if kind > 1:
            plain = decompress(plain, plain_size)
            if len(plain) != plain_size:
                sys.exit("wrong length")
        if hashlib.sha256(plain).digest() != header[entry - 32 : entry]:
            sys.exit("wrong digest")
        yield kind, header[entry - 32 : entry].hex(), offset, size, len(plain)
        header, offset = header[entry:], offset + size
    if offset != len(pack) - 4 - length:
        sys.exit("bytes between the blobs and the header")


def is_irreducible(f):
    """Rabin: x^(2^n) = x mod f, and x^(2^(n/q)) - x is prime to f for each prime q that divides n."""
    n = f.bit_length() - 1

    def remainder(a, b):
        while a and a.bit_length() >= b.bit_length():
            a ^= b << (a.bit_length() - b.bit_length())
        return a

    def power(times):
        x = 2
        for _ in range(times):
            square = 0
            for bit in range(x.bit_length()):
                if x >> bit & 1:
                    square |= 1 << (2 * bit)
            x = remainder(square, f)
        return x

    def divisor(a, b):
        while b:
            a, b = b, remainder(a, b)
        return a

    primes = [q for q in range(2, n + 1) if n % q == 0 and all(q % d for d in range(2, q))]
    return power(n) == remainder(2, f) and all(divisor(f, power(n // q) ^ 2) == 1 for q in primes)


def digest(plain):
    print(len(plain), hashlib.sha256(plain).hexdigest())


def main(command, first, *rest):
    print(WHICH)
    if command == "polynomial":
        print(is_irreducible(int(first, 16)))
        return
    with open(rest[-1], "rb") as file:
        content = file.read()
    if command == "key":
        print(unlock(first, content).hex())
        return
    key = bytes.fromhex(first)
    if command == "seal":
        print(seal(key, bytes.fromhex(rest[0]), content).hex())
    elif command == "open":
        digest(open_sealed(key, content))
    elif command == "unpacked":
        plain = open_sealed(key, content)
        digest(decompress(plain[1:], 1 << 26) if plain[:1] == b"\2" else plain)
    elif command == "pack":
        for blob in blobs(key, content):
            print(*blob)


if __name__ == "__main__":
    main(*sys.argv[1:])
