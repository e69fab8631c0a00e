"""An SFTP server on its standard input and output, version 3, that misbehaves as it is told. For tests.

    sftp.py [FAULT[:NUMBER]]... [--log FILE]

Paths are those of this machine. Faults that servers may have, and a client must bear:

    no-extensions      none of OpenSSH's
    no-rename          plain renaming fails, so that posix-rename is needed
    replacing-rename   plain renaming replaces
    short-data         at most 1000 bytes are read at a time
    trickle            answers come in pieces of 1 to 7 bytes
    reverse            answers that can wait come in the reverse order, up to NUMBER at a time
    bare-status        statuses have no text
    bare-names         names come without attributes
    failure-for-missing  removing what is missing is a failure without a reason
    disk-full          every write fails without a reason, and no space is free

Faults that break the protocol, or the connection:

    text               a login script prints text first
    version            another version
    huge, zero         a packet with such a length, in the place of the NUMBERth answer
    id                 the NUMBERth answer has a wrong number
    twice              the NUMBERth answer comes twice
    type               the NUMBERth answer has a type that nobody knows
    mismatch           the NUMBERth answer has the type of another request
    count              names are said to be 4 thousand million
    endless            a folder never ends
    nameless           a folder has answers without names
    long-data          more is read than was asked for
    empty-data         nothing is read, without an end
    cut                it ends within the NUMBERth answer
    die                it ends before the NUMBERth answer
    die-in-write       it ends at the NUMBERth request to write
    die-before-rename  it ends when something is to be renamed
    die-after-rename   it ends when something was renamed, without an answer
    die-at-start       it ends before it greets, with exit status 255
    slow-start         it takes a second before
    killed             it ends itself with SIGKILL in the place of the NUMBERth answer
    hang               the NUMBERth answer does not come, nor do others
    deaf               it reads nothing more after the NUMBERth request
    stubborn           SIGTERM and the end of its input do not end it

With `once:FILE` faults are only those of the first process that finds no such file. Each started process adds its number to
the file of --log.
"""

import errno
import os
import random
import signal
import stat
import struct
import sys
import time

INIT, VERSION, OPEN, CLOSE, READ, WRITE, LSTAT, FSTAT = 1, 2, 3, 4, 5, 6, 7, 8
OPENDIR, READDIR, REMOVE, MKDIR, STAT, RENAME = 11, 12, 13, 14, 17, 18
STATUS, HANDLE, DATA, NAME, ATTRS, EXTENDED, EXTENDED_REPLY = 101, 102, 103, 104, 105, 200, 201
OK, EOF, NO_SUCH_FILE, DENIED, FAILURE, BAD, UNSUPPORTED = 0, 1, 2, 3, 4, 5, 8
EXTENSIONS = {b"posix-rename@openssh.com": b"1", b"hardlink@openssh.com": b"1", b"fsync@openssh.com": b"1",
              b"statvfs@openssh.com": b"2", b"unheard-of@example.org": b"7"}

faults = {}


def fault(name):
    return name in faults


def text(data):
    return struct.pack(">I", len(data)) + data


def write(data):
    while data:
        piece = data[:random.randint(1, 7)] if fault("trickle") else data
        data = data[os.write(1, piece):]


def read(count):
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            while fault("stubborn"):
                time.sleep(1)
            sys.exit(0)
        data += piece
    return data


class Fields:
    def __init__(self, data):
        self.data = data

    def take(self, count):
        assert count <= len(self.data)
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def u32(self):
        return struct.unpack(">I", self.take(4))[0]

    def u64(self):
        return struct.unpack(">Q", self.take(8))[0]

    def text(self):
        return self.take(self.u32())


def attributes(found):
    return struct.pack(">IQIIIII", 0xF, found.st_size, found.st_uid, found.st_gid, found.st_mode & 0xFFFFFFFF,
                       int(found.st_atime), int(found.st_mtime))


class Server:
    def __init__(self):
        self.handles, self.next, self.answers, self.requests, self.writes, self.waiting = {}, 0, 0, 0, 0, []

    def status(self, number, code):
        names = {OK: b"Success", EOF: b"End of file", NO_SUCH_FILE: b"No such file", DENIED: b"Permission denied"}
        said = b"" if fault("bare-status") else text(names.get(code, b"Failure")) + text(b"")
        return STATUS, struct.pack(">II", number, code) + said

    def failed(self, number, error):
        code = {errno.ENOENT: NO_SUCH_FILE, errno.ENOTDIR: NO_SUCH_FILE, errno.ELOOP: NO_SUCH_FILE,
                errno.EACCES: DENIED, errno.EPERM: DENIED, errno.EINVAL: BAD, errno.ENAMETOOLONG: BAD}
        return self.status(number, code.get(error.errno, FAILURE))

    def handle(self, number, value):
        self.next += 1
        name = b"handle %d" % self.next
        self.handles[name] = value
        return HANDLE, struct.pack(">I", number) + text(name)

    def answer(self, kind, number, fields):
        if kind == OPEN:
            path, flags = fields.text(), fields.u32()
            mode = {1: os.O_RDONLY, 2: os.O_WRONLY, 3: os.O_RDWR}[flags & 3]
            mode |= (os.O_CREAT if flags & 8 else 0) | (os.O_TRUNC if flags & 16 else 0) | (os.O_EXCL if flags & 32 else 0)
            permissions = fields.u32() if fields.u32() & 4 else 0o666
            return self.handle(number, os.open(path, mode, permissions))
        if kind == CLOSE:
            value = self.handles.pop(fields.text())
            if isinstance(value, int):
                os.close(value)
            return self.status(number, OK)
        if kind == READ:
            descriptor, offset, count = self.handles[fields.text()], fields.u64(), fields.u32()
            if fault("short-data"):
                count = min(count, 1000)
            data = os.pread(descriptor, count, offset)
            if not data:
                return self.status(number, EOF)
            if fault("long-data"):
                data += b"more"
            if fault("empty-data"):
                data = b""
            return DATA, struct.pack(">I", number) + text(data)
        if kind == WRITE:
            self.writes += 1
            if faults.get("die-in-write") == self.writes:
                os.pwrite(self.handles[fields.text()], fields.data[12:100], fields.u64())
                os._exit(3)
            if fault("disk-full"):
                return self.status(number, FAILURE)
            descriptor, offset, data = self.handles[fields.text()], fields.u64(), fields.text()
            os.pwrite(descriptor, data, offset)
            return self.status(number, OK)
        if kind in (LSTAT, STAT):
            found = (os.lstat if kind == LSTAT else os.stat)(fields.text())
            return ATTRS, struct.pack(">I", number) + attributes(found)
        if kind == OPENDIR:
            path = fields.text()
            return self.handle(number, (path, os.listdir(path)))
        if kind == READDIR:
            return self.names(number, *self.handles[fields.text()])
        if kind == MKDIR:
            path = fields.text()
            os.mkdir(path, fields.u32() if fields.u32() & 4 else 0o777)
            return self.status(number, OK)
        if kind == REMOVE:
            path = fields.text()
            if fault("failure-for-missing") and not os.path.lexists(path):
                return self.status(number, FAILURE)
            os.unlink(path)
            return self.status(number, OK)
        if kind == RENAME:
            return self.rename(number, fields.text(), fields.text(), fault("replacing-rename"))
        if kind == EXTENDED and not fault("no-extensions"):
            return self.extended(fields.text(), number, fields)
        return self.status(number, UNSUPPORTED)

    def rename(self, number, old, new, replaces):
        if fault("die-before-rename"):
            os._exit(4)
        if replaces:
            os.rename(old, new)
        elif fault("no-rename"):
            return self.status(number, FAILURE)
        else:
            os.link(old, new)
            os.unlink(old)
        if fault("die-after-rename"):
            os._exit(5)
        return self.status(number, OK)

    def extended(self, name, number, fields):
        if name == b"posix-rename@openssh.com":
            return self.rename(number, fields.text(), fields.text(), True)
        if name == b"hardlink@openssh.com":
            os.link(fields.text(), fields.text())
        elif name == b"fsync@openssh.com":
            os.fsync(self.handles[fields.text()])
        elif name == b"statvfs@openssh.com":
            found = os.statvfs(fields.text())
            free = 0 if fault("disk-full") else found.f_bavail
            return EXTENDED_REPLY, struct.pack(
                ">I11Q", number, found.f_bsize, found.f_frsize, found.f_blocks, free, free, found.f_files, found.f_ffree,
                found.f_favail, 0, 0, found.f_namemax)
        else:
            return self.status(number, UNSUPPORTED)
        return self.status(number, OK)

    def names(self, number, path, names):
        if fault("nameless"):
            return NAME, struct.pack(">II", number, 0)
        if fault("count"):
            return NAME, struct.pack(">II", number, 0xFFFFFFFF) + text(b"a") + text(b"a")
        if not names:
            return self.status(number, EOF)
        piece = names[:20]
        if not fault("endless"):
            del names[:20]
        body = b""
        for name in piece:
            found = os.lstat(os.path.join(path, name))
            shown = stat.filemode(found.st_mode).encode() + b" " + name
            body += text(name) + text(shown) + (struct.pack(">I", 0) if fault("bare-names") else attributes(found))
        return NAME, struct.pack(">II", number, len(piece)) + body

    def send(self, kind, body):
        self.answers += 1
        here = lambda name: faults.get(name) == self.answers
        packet = text(bytes([kind]) + body)
        if here("huge"):
            packet = struct.pack(">I", 0x7FFFFFFF) + packet
        if here("zero"):
            packet = struct.pack(">I", 0) + packet
        if here("id"):
            packet = packet[:5] + struct.pack(">I", 0xDEADBEEF) + packet[9:]
        if here("type"):
            packet = packet[:4] + bytes([77]) + packet[5:]
        if here("mismatch"):
            # Of attributes for most, and a status of success for those.
            packet = text(bytes([HANDLE]) + body[:4] + text(b"handle")) if kind != HANDLE else text(
                bytes([STATUS]) + body[:4] + struct.pack(">I", OK))
        if here("die"):
            os._exit(6)
        if here("killed"):
            os.kill(os.getpid(), signal.SIGKILL)
        if here("cut"):
            write(packet[:len(packet) // 2])
            os._exit(7)
        if here("hang"):
            while True:
                time.sleep(1)
        write(packet * 2 if here("twice") else packet)

    def serve(self):
        if fault("slow-start"):
            time.sleep(1)
        if fault("text"):
            write(b"Welcome to this machine!\n")
        if fault("die-at-start"):
            os._exit(255)
        length, kind = struct.unpack(">IB", read(5))
        assert kind == INIT and length == 5 and struct.unpack(">I", read(4))[0] == 3
        listed = {} if fault("no-extensions") else EXTENSIONS
        version = struct.pack(">BI", VERSION, 2 if fault("version") else 3)
        write(text(version + b"".join(text(name) + text(value) for name, value in listed.items())))
        while True:
            length, kind, number = struct.unpack(">IBI", read(9))
            assert length <= 34000, length
            fields = Fields(read(length - 5))
            self.requests += 1
            while faults.get("deaf", self.requests) < self.requests:
                time.sleep(1)
            try:
                answer = self.answer(kind, number, fields)
            except OSError as error:
                answer = self.failed(number, error)
            except KeyError:
                answer = self.status(number, FAILURE)
            self.waiting.append(answer)
            # What comes meanwhile is looked for a moment only.
            if len(self.waiting) < faults.get("reverse", 1) and more_comes():
                continue
            while self.waiting:
                self.send(*self.waiting.pop())


def more_comes():
    import select
    return bool(select.select([0], [], [], 0.002)[0])


def main():
    arguments = sys.argv[1:]
    if "--log" in arguments:
        place = arguments.index("--log")
        with open(arguments[place + 1], "a") as log:
            log.write(f"{os.getpid()}\n")
        del arguments[place:place + 2]
    for argument in arguments:
        name, _, number = argument.partition(":")
        if name == "once":
            try:
                os.close(os.open(number, os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                faults.clear()
        else:
            faults[name] = int(number or 1)
    if fault("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Server().serve()


if __name__ == "__main__":
    main()
