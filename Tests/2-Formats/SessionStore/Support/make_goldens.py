#!/usr/bin/env python3
"""Writes Fixtures/peers.json: what other programs make of the formats of Session that the vectors do not have.

    make_goldens.py FILE

Needs from PyPI: monero 1.1.1 (recovery passwords of four languages), PyNaCl 1.6 (X25519 of Ed25519, XChaCha20-Poly1305),
bencode2 0.3 (bt-encoding), zstandard 0.25. Not run by the tests, which read what it wrote.
"""
import hashlib
import json
import random
import sys

import bencode2
import nacl.bindings as sodium
import zstandard
from monero.wordlists import get_wordlist

random.seed(20261128)


def account(entropy):
    public, secret = sodium.crypto_sign_seed_keypair(entropy + bytes(16))
    return public.hex(), "05" + sodium.crypto_sign_ed25519_pk_to_curve25519(public).hex()


def passwords():
    cases = []
    for language in ("English", "Japanese", "Portuguese", "Spanish"):
        for entropy in [bytes(16), b"\xff" * 16] + [random.randbytes(16) for _ in range(12)]:
            signing, session_id = account(entropy)
            cases.append({"language": language.lower(), "seed16_hex": entropy.hex(), "ed25519_public_hex": signing,
                          "words": get_wordlist(language).encode(entropy.hex()), "session_id": session_id})
    return cases


def value(depth):
    kind = random.choice("iibbbld" if depth < 4 else "ib")
    if kind == "i":
        return random.choice([0, 1, -1, 2**63 - 1, -(2**63), random.randint(-(2**40), 2**40)])
    if kind == "b":
        return random.randbytes(random.choice([0, 1, 3, 9, 10, 33, 120]))
    if kind == "l":
        return [value(depth + 1) for _ in range(random.randint(0, 4))]
    return {random.randbytes(random.randint(0, 4)): value(depth + 1) for _ in range(random.randint(0, 5))}


def tree(given):
    """The value for JSON: bytes in hexadecimal, dicts as lists of pairs in the order of their keys."""
    if isinstance(given, int):
        return {"i": str(given)}
    if isinstance(given, bytes):
        return {"b": given.hex()}
    if isinstance(given, list):
        return {"l": [tree(part) for part in given]}
    return {"d": [[key.hex(), tree(given[key])] for key in sorted(given)]}


def encodings():
    values = [{}, [], 0, b"", {b"": b""}, [[[[]]]], {b"a": {b"b": [1, b"c"]}}] + [value(0) for _ in range(60)]
    return [{"hex": bencode2.bencode(given).hex(), "tree": tree(given)} for given in values]


def sealed(message, key, domain):
    size = len(message).to_bytes(8, "big")
    cipher_key = hashlib.blake2b(key + size + domain, digest_size=32).digest()
    nonce = hashlib.blake2b(message, digest_size=24, key=b"libsessionutil-config-encrypted-" + domain).digest()
    return sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(message, b"", nonce, cipher_key) + nonce


def messages():
    cases = []
    for domain in (b"UserProfile", b"Contacts", b"a"):
        for count in (0, 3, 40, 700):
            key = random.randbytes(32)
            content = bencode2.bencode({b"#": count, b"&": {b"c": {b"\x05" + random.randbytes(32): {b"n": b"name"} for _ in range(count)}}})
            for packed in (False, True):
                form = b"z" + zstandard.ZstdCompressor(level=1).compress(content) if packed else content
                step = 256 if len(form) < 4000 else 1024 if len(form) < 20000 else 5120
                total = (len(form) + 40 + step - 1) // step * step
                whole = sealed(bytes(total - 40 - len(form)) + form, key, domain)
                case = {"domain": domain.decode(), "key_hex": key.hex(), "packed": packed, "step": step, "size": len(whole),
                        "content_sha256": hashlib.sha256(content).hexdigest(), "content_size": len(content)}
                if len(whole) < 5000:
                    case["hex"] = whole.hex()
                    cases.append(case)
    return cases


def signed():
    seed = random.randbytes(32)
    public, secret = sodium.crypto_sign_seed_keypair(seed)
    body = bencode2.bencode({b"#": 7, b"&": {b"n": b"a name"}})[:-1]
    signature = sodium.crypto_sign(body, secret)[:64]
    return {"public_hex": public.hex(), "hex": (body + b"1:~64:" + signature + b"e").hex()}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made = {"about": "made by Support/make_goldens.py with monero 1.1.1, PyNaCl, bencode2 and zstandard of PyPI",
            "recovery_passwords": passwords(), "bencode": encodings(), "config_messages": messages(), "signed": signed()}
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(made, file, indent=1, ensure_ascii=False)
        file.write("\n")
