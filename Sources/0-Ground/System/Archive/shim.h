#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// libarchive converts names by the locale of the thread, and programs of Swift have none: names beyond ASCII would be
// refused. So the calls that convert run in a locale of UTF-8, which is put back behind them.
static inline void *valise_archive_make_locale(void) {
    locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (made == (locale_t)0) made = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
    return (void *)made;
}

static inline void valise_archive_free_locale(void *locale) {
    if (locale) freelocale((locale_t)locale);
}

static inline int valise_archive_next_header(struct archive *archive, struct archive_entry **entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    int result = archive_read_next_header(archive, entry);
    if (locale) uselocale(before);
    return result;
}

static inline const char *valise_archive_pathname(struct archive_entry *entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    const char *name = archive_entry_pathname(entry);
    if (locale) uselocale(before);
    return name;
}

static inline int valise_archive_write_header(struct archive *archive, struct archive_entry *entry, void *locale) {
    locale_t before = locale ? uselocale((locale_t)locale) : (locale_t)0;
    int result = archive_write_header(archive, entry);
    if (locale) uselocale(before);
    return result;
}
