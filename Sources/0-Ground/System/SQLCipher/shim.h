// SQLCipher's interface. SQLITE_HAS_CODEC makes its header declare the key functions; the header of the
// same name from plain SQLite has none of them, so a build against the wrong library fails at once.
#pragma once
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif
#include <sqlite3.h>

// A variadic function, which Swift cannot call.
static inline int valise_sqlite3_refuse_views(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}
