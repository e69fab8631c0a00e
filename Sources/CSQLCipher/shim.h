// SQLCipher's interface. SQLITE_HAS_CODEC makes its header declare the key functions; the header of the
// same name from plain SQLite has none of them, so a build against the wrong library fails at once.
#pragma once
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif
#include <sqlite3.h>
