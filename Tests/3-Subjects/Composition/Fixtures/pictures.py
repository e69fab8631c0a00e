"""Pictures for the tests, by Pillow, and what Pillow sees in prepared ones.

Usage: pictures.py make FOLDER
       pictures.py look FILE        a line of JSON
"""

import json
import os
import random
import struct
import sys
import zlib

from PIL import Image


def surface(width: int, height: int, seed: int = 1) -> Image.Image:
    """Noise that hardly compresses, with the upper left quarter red."""
    small = Image.frombytes("RGB", (width // 4, height // 4), random.Random(seed).randbytes(width // 4 * (height // 4) * 3))
    picture = small.resize((width, height), Image.Resampling.BICUBIC)
    picture.paste((255, 0, 0), (0, 0, width // 2, height // 2))
    return picture


def png(path: str, width: int, height: int, interlaced: bool = False) -> None:
    """A black picture, of which the file has at most twenty thousand rows."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packing = zlib.compressobj(9)
    row = bytes(1 + 3 * width)
    rows = b"".join(packing.compress(row) for _ in range(min(height, 20_000))) + packing.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, int(interlaced))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def make(folder: str) -> None:
    os.chdir(folder)
    photo = surface(2400, 1600)
    tags = Image.Exif()
    tags[0x0112] = 6                                   # the camera lay on its side
    tags[0x010F] = "Secret camera"
    tags.get_ifd(0x8825)[1] = "N"                      # a place
    photo.transpose(Image.Transpose.ROTATE_90).save("photo.jpg", quality=92, exif=tags, comment=b"secret words")
    photo.save("progressive.jpg", quality=92, progressive=True)
    photo.resize((800, 533)).save("small.png")
    photo.save("photo.webp", quality=90)
    photo.convert("L").save("gray.jpg", quality=92)
    photo.convert("CMYK").save("cmyk.jpg", quality=92)
    transparent = photo.resize((600, 400)).convert("RGBA")
    transparent.putalpha(Image.radial_gradient("L").resize((600, 400)))
    transparent.save("transparent.png")
    frames = [surface(160, 120, seed) for seed in range(4)]
    frames[0].save("animation.gif", save_all=True, append_images=frames[1:])
    surface(4, 2000).save("ribbon.png")
    Image.new("RGB", (1, 1), "red").save("dot.png")
    for name in ("photo.jpg", "small.png", "photo.webp", "animation.gif"):
        with open(name, "rb") as file:
            data = file.read()
        with open(f"cut-{name}", "wb") as file:
            file.write(data[:len(data) * 2 // 3])
    png("bomb.png", 50_000, 50_000)
    png("interlaced-bomb.png", 9000, 9000, interlaced=True)
    Image.new("L", (16_000, 6000)).save("progressive-bomb.jpg", quality=10, progressive=True)
    with open("progressive-bomb.jpg", "rb") as file:
        data = file.read()
    last = data.rindex(b"\xff\xda")
    with open("scans.jpg", "wb") as file:
        file.write(data[:-2] + data[last:-2] * 3000 + b"\xff\xd9")
    with open("drawing.jpg", "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')
    with open("empty.jpg", "wb") as file:
        pass


def look(path: str) -> None:
    with Image.open(path) as picture:
        picture.load()
        at = picture.convert("RGB").getpixel((picture.width // 4, picture.height // 4))
        others = [key for key in picture.info if key not in ("jfif", "jfif_version", "jfif_unit", "jfif_density", "dpi")]
        print(json.dumps({
            "format": picture.format, "mode": picture.mode, "width": picture.width, "height": picture.height,
            "isRed": at[0] > 230 and at[1] < 40 and at[2] < 40, "metadata": others + [str(tag) for tag in picture.getexif()]}))


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    look(sys.argv[2])
