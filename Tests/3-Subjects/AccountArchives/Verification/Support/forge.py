"""Zip files built byte by byte, every field open to lies (PKWARE APPNOTE 6.3.10)."""

import copy
import struct
import zlib

DATE = 0x5821_0000  # 1 January 2024, midnight, in the form of DOS


class Header:
    """The fields that both headers of an entry have."""

    def __init__(self, name, data):
        self.signature = b"PK\x03\x04"
        self.version = 20
        self.flags = 0x800
        self.method = 0
        self.date = DATE
        self.crc = zlib.crc32(data)
        self.packed_size = self.size = len(data)
        self.name = name
        self.name_length = None
        self.extra = b""
        self.extra_length = None

    def common(self):
        name_length = len(self.name) if self.name_length is None else self.name_length
        extra_length = len(self.extra) if self.extra_length is None else self.extra_length
        return struct.pack(
            "<HHHIIIIHH", self.version, self.flags, self.method, self.date, self.crc,
            self.packed_size, self.size, name_length, extra_length)


class Entry:
    """One entry: its local header, its data, its header in the central directory. Stored and true at first."""

    def __init__(self, name, data=b""):
        name = name if isinstance(name, bytes) else name.encode()
        self.data = self.packed = data
        self.local = Header(name, data)
        self.central = copy.copy(self.local)
        self.central.signature = b"PK\x01\x02"
        self.descriptor = b""
        self.has_local = True
        self.in_directory = True
        self.made_by = 0x031E
        self.disk = 0
        self.attributes = 0o100600 << 16
        self.offset = None
        self.comment = b""

    @property
    def name(self):
        return self.central.name.decode(errors="replace")

    def both(self, **fields):
        """Sets fields in both headers."""
        for header in (self.local, self.central):
            vars(header).update(fields)
        return self

    def add(self, **fields):
        """Adds to numbers in both headers."""
        for header in (self.local, self.central):
            for field, value in fields.items():
                setattr(header, field, getattr(header, field) + value)
        return self

    def pack(self, method, packed):
        """Other packed bytes, by a method; both headers tell the truth of them."""
        self.packed = packed
        return self.both(method=method, packed_size=len(packed))

    def deflate(self):
        return self.pack(8, deflated(self.data))

    def fill(self, data):
        """Other content, stored; checksum and sizes are true."""
        self.data = self.packed = data
        return self.both(method=0, crc=zlib.crc32(data), size=len(data), packed_size=len(data))

    def stream(self, signed=True, wide=False):
        """Sizes and checksum follow the data."""
        self.both(flags=self.central.flags | 8)
        central = self.central
        self.descriptor = (b"PK\x07\x08" if signed else b"") + struct.pack(
            "<IQQ" if wide else "<III", central.crc, central.packed_size, central.size)
        vars(self.local).update(crc=0, packed_size=0, size=0)
        return self

    def local_bytes(self):
        if not self.has_local:
            return b""
        return b"".join((
            self.local.signature, self.local.common(), self.local.name, self.local.extra, self.packed,
            self.descriptor))

    def central_bytes(self, offset):
        central = self.central
        return b"".join((
            central.signature, struct.pack("<H", self.made_by), central.common(),
            struct.pack(
                "<HHHII", len(self.comment), self.disk, 0, self.attributes,
                offset if self.offset is None else self.offset),
            central.name, central.extra, self.comment))


class Zip:
    """Entries, directory and end records. Whatever is not overridden is true."""

    def __init__(self, entries):
        self.entries = entries
        self.prefix = self.gap = self.suffix = self.comment = b""
        self.comment_length = None
        self.disk = self.directory_disk = 0
        self.count_here = self.count = self.size = self.offset = None
        self.has_end = True
        self.zip64 = None

    def set(self, **fields):
        vars(self).update(fields)
        return self

    def entry(self, name):
        return next(entry for entry in self.entries if entry.name == name)

    def start(self, name):
        """Where the local header of an entry is."""
        position = len(self.prefix)
        for entry in self.entries:
            if entry.name == name:
                return position
            position += len(entry.local_bytes())
        raise KeyError(name)

    def directory_start(self):
        return len(self.prefix) + sum(len(entry.local_bytes()) for entry in self.entries) + len(self.gap)

    def bytes(self):
        out, central = [self.prefix], []
        position = 0
        for entry in self.entries:
            local = entry.local_bytes()
            if entry.in_directory:
                central.append(entry.central_bytes(position))
            out.append(local)
            position += len(local)
        out.append(self.gap)
        position += len(self.gap)
        directory = b"".join(central)
        out.append(directory)
        if self.zip64 is not None:
            end = len(self.prefix) + position + len(directory)
            out.append(zip64_end(end, len(central), len(directory), position, **self.zip64))
        if self.has_end:
            out.append(self.end(len(central), len(directory), position))
        return b"".join(out) + self.suffix

    def end(self, count, size, offset):
        count = count if self.count is None else self.count
        here = count if self.count_here is None else self.count_here
        length = len(self.comment) if self.comment_length is None else self.comment_length
        return b"PK\x05\x06" + struct.pack(
            "<HHHHIIH", self.disk, self.directory_disk, here, count,
            size if self.size is None else self.size,
            offset if self.offset is None else self.offset, length) + self.comment


def zip64_end(position, true_count, true_size, true_offset, record=True, length=44, count=None, size=None,
              offset=None, at=None, disks=1):
    """The Zip64 end record and its locator."""
    count = true_count if count is None else count
    out = b""
    if record:
        out = b"PK\x06\x06" + struct.pack(
            "<QHHIIQQQQ", length, 45, 45, 0, 0, count, count, true_size if size is None else size,
            true_offset if offset is None else offset)
    return out + b"PK\x06\x07" + struct.pack("<IQI", 0, position if at is None else at, disks)


def deflated(data, level=6):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def extra(identifier, content):
    return struct.pack("<HH", identifier, len(content)) + content


def zip64_extra(*values):
    return extra(1, struct.pack(f"<{len(values)}Q", *values))


def unicode_name(name, original):
    """Info-ZIP's second name of an entry."""
    return extra(0x7075, b"\x01" + struct.pack("<I", zlib.crc32(original)) + name.encode())
