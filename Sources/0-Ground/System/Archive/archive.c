// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // locale_t

#include "CArchive.h"
#include "CPlatform.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

_Static_assert(VALISE_ARCHIVE_EOF == ARCHIVE_EOF, "status");
_Static_assert(VALISE_ARCHIVE_OK == ARCHIVE_OK, "status");
_Static_assert(VALISE_ARCHIVE_WARN == ARCHIVE_WARN, "status");
_Static_assert(VALISE_ARCHIVE_FATAL == ARCHIVE_FATAL, "status");
_Static_assert(VALISE_ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_BASE_MASK, "format");
_Static_assert(VALISE_ARCHIVE_FORMAT_CPIO == ARCHIVE_FORMAT_CPIO, "format");

// Their types are those of the header, so that the compiler compares them with ours in each call below.
#define POINTER(result, name, parameters, arguments) __typeof__(name) *name;
#define PROCEDURE_POINTER(name, parameters, arguments) __typeof__(name) *name;
struct functions {
    VALISE_ARCHIVE_FUNCTIONS(POINTER, PROCEDURE_POINTER)
};

// All at once, so that a missing function is found here and not in the middle of an archive.
static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(result, name, parameters, arguments) && valise_library_find(library, #name, &found->name, reason)
#define FIND_PROCEDURE(name, parameters, arguments) FIND(void, name, parameters, arguments)
    return true VALISE_ARCHIVE_FUNCTIONS(FIND, FIND_PROCEDURE);
}

// Apple systems look for a bare name in the current folder too, and so get whole paths.
static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
    "/usr/local/opt/libarchive/lib/libarchive.13.dylib",
    "/usr/lib/libarchive.2.dylib",
#else
    "libarchive.so.13",
#endif
};

static struct functions functions;
static bool is_loaded;
static char why_not[valise_reason_size];

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    is_loaded = library != NULL && resolve(library, &functions, why_not);
}

const char *valise_archive_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_archive_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

#define FORWARD(result, name, parameters, arguments) \
    result valise_##name parameters { return functions.name arguments; }
#define FORWARD_PROCEDURE(name, parameters, arguments) \
    void valise_##name parameters { functions.name arguments; }
VALISE_ARCHIVE_FUNCTIONS(FORWARD, FORWARD_PROCEDURE)

void *valise_archive_make_locale(void) {
    locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (made == (locale_t)0) made = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
    return (void *)made;
}

void valise_archive_free_locale(void *locale) {
    if (locale) freelocale((locale_t)locale);
}

int valise_archive_next_header_in(struct archive *archive, struct archive_entry **entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    int result = valise_archive_read_next_header(archive, entry);
    if (locale) uselocale(before);
    return result;
}

const char *valise_archive_pathname_in(struct archive_entry *entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    const char *name = valise_archive_entry_pathname(entry);
    if (locale) uselocale(before);
    return name;
}

int valise_archive_write_header_in(struct archive *archive, struct archive_entry *entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    int result = valise_archive_write_header(archive, entry);
    if (locale) uselocale(before);
    return result;
}
