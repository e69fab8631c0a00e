"""Does by other programs what Valise does with files and links.

    peer.py encrypt KEY NONCE NAME SIZE FILE   the encrypted file of SIZE bytes: which library, SHA-512 in hexadecimal
    peer.py links APP WEB                      the descriptions of two links, as JSON: app, web, data

Keys are hexadecimal. The cipher is PyNaCl's, or libsodium's by ctypes; unpacking and escapes are Python's own.
"""

import base64
import hashlib
import json
import pathlib
import sys
import urllib.parse
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "CryptoFiles" / "Support"))
import peer as cipher  # noqa: E402


def encrypt(key, nonce, name, size, path):
    content = pathlib.Path(path).read_bytes()
    name = name.encode()
    inner = bytes([len(name)]) + name + b"0" + content
    plain = len(inner).to_bytes(8, "big") + inner
    plain += b"#" * (int(size) - 16 - len(plain))
    library, box = cipher.secretbox(plain, bytes.fromhex(nonce), cipher.hsalsa20(bytes.fromhex(key), bytes(16)))
    print(library, hashlib.sha512(box[16:] + box[:16]).hexdigest())


def links(app, web):
    fields = urllib.parse.parse_qs(app.split("#/?", 1)[1], strict_parsing=True)
    packed = base64.urlsafe_b64decode(web.split("#", 1)[1])
    print(json.dumps({
        "app": fields["desc"][0], "data": json.loads(fields["data"][0]),
        "web": zlib.decompress(packed, -15).decode(),
    }))


if __name__ == "__main__":
    {"encrypt": encrypt, "links": links}[sys.argv[1]](*sys.argv[2:])
