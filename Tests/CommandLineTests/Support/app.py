"""A program that uses both databases of an account, as the desktop app does, through SQLCipher's own library.

app.py WHAT JOURNAL FOLDER KEY

WHAT     probe       says whether the library is there
         idle        has both databases open
         busy        is in the middle of a transaction on both, and has written nothing to the files yet
         spilled     likewise, and has written to the files already, so that nobody else can read them
         writing     writes to both again and again: the chat database is ahead by one for a moment
         dying       writes to the files in the middle of a transaction, and is killed then
JOURNAL  delete or wal

Prints `ready` when it is so far, and ends when its input does, with `ok` where both databases hold.
"""

import ctypes
import ctypes.util
import os
import signal
import sys
import threading

ROWS = 60


def library():
    for name in [ctypes.util.find_library("sqlcipher"), "libsqlcipher.so", "libsqlcipher.so.0", "libsqlcipher.so.1",
                 "/usr/local/lib/libsqlcipher.so", "/usr/local/lib/libsqlcipher.so.0"]:
        if not name:
            continue
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    sys.exit(3)


lib = library()
if sys.argv[1] == "probe":
    sys.exit(0)
lib.sqlite3_errmsg.restype = ctypes.c_char_p
ROW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p)


class Database:
    def __init__(self, path, key):
        self.handle = ctypes.c_void_p()
        assert lib.sqlite3_open(path.encode(), ctypes.byref(self.handle)) == 0
        assert lib.sqlite3_key(self.handle, key.encode(), len(key)) == 0
        self.run("PRAGMA busy_timeout = 8000")

    def run(self, sql):
        rows = []

        def row(_, count, values, __):
            rows.append([values[i] and values[i].decode() for i in range(count)])
            return 0

        if lib.sqlite3_exec(self.handle, sql.encode(), ROW(row), None, None) != 0:
            sys.exit("%s: %s" % (sql, lib.sqlite3_errmsg(self.handle).decode()))
        return rows


what, journal, folder, key = sys.argv[1:]
chat, agent = (Database("%s/simplex_v1_%s.db" % (folder, name), key) for name in ("chat", "agent"))
for database in (chat, agent):
    assert database.run("PRAGMA journal_mode = " + journal) == [[journal]]
    database.run("CREATE TABLE IF NOT EXISTS marks (id INTEGER PRIMARY KEY, n INTEGER, filler BLOB)")
    if database.run("SELECT count(*) FROM marks") == [["0"]]:
        for _ in range(ROWS):
            database.run("INSERT INTO marks (n, filler) VALUES (1, randomblob(3000))")


def touch(database):
    database.run("UPDATE marks SET n = n + 1, filler = randomblob(3000)")


def ready():
    os.write(1, b"ready\n")


if what in ("spilled", "dying"):
    for database in (chat, agent):
        # So few pages are kept in memory that the files are written to before the end of the transaction.
        database.run("PRAGMA cache_size = 2")
if what == "busy":
    # In the memory of this process, all of it.
    for database in (chat, agent):
        database.run("BEGIN IMMEDIATE")
        touch(database)
elif what in ("spilled", "dying"):
    for database in (chat, agent):
        database.run("BEGIN IMMEDIATE")
        touch(database)
    if what == "dying":
        ready()
        os.kill(os.getpid(), signal.SIGKILL)

if what == "writing":
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    ready()
    while not over.is_set():
        for database in (chat, agent):
            database.run("BEGIN IMMEDIATE")
            touch(database)
        chat.run("COMMIT")
        agent.run("COMMIT")
else:
    ready()
    sys.stdin.read()
    if what in ("busy", "spilled"):
        for database in (chat, agent):
            database.run("COMMIT")
for database in (chat, agent):
    assert database.run("PRAGMA integrity_check") == [["ok"]]
os.write(1, b"ok\n")
