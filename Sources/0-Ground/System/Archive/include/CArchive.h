// libarchive, which is loaded when it is first needed and not at the start of the program: with what it needs itself
// (libxml2, ICU), loading takes longer than most commands.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Loads the library at the first call, for every thread. NULL when all its functions are there; else why not, in the
// words of the system's loader. They last as long as the program.
const char *valise_archive_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this
// thread asks again.
const char *valise_archive_try(const char *name);

struct archive;
struct archive_entry;

// Statuses and formats of the library, which its header confirms where this is compiled.
#define VALISE_ARCHIVE_EOF 1
#define VALISE_ARCHIVE_OK 0
#define VALISE_ARCHIVE_WARN (-20)
#define VALISE_ARCHIVE_FATAL (-30)
#define VALISE_ARCHIVE_FORMAT_BASE_MASK 0xff0000
#define VALISE_ARCHIVE_FORMAT_CPIO 0x10000

typedef ssize_t valise_archive_read_callback(struct archive *archive, void *context, const void **bytes);
typedef int64_t valise_archive_skip_callback(struct archive *archive, void *context, int64_t count);
typedef int64_t valise_archive_seek_callback(struct archive *archive, void *context, int64_t offset, int origin);
typedef int valise_archive_end_callback(struct archive *archive, void *context);
typedef ssize_t valise_archive_write_callback(
    struct archive *archive, void *context, const void *bytes, size_t count);

// What is used of the library: F(result, name, parameters, arguments), and P(name, parameters, arguments) without a
// result. Each is called here as there, with valise_ before its name, and only once the library is loaded.
#define VALISE_ARCHIVE_FUNCTIONS(F, P) \
    F(const char *, archive_version_string, (void), ()) \
    F(const char *, archive_error_string, (struct archive *archive), (archive)) \
    F(int, archive_format, (struct archive *archive), (archive)) \
    F(int, archive_filter_count, (struct archive *archive), (archive)) \
    F(int64_t, archive_filter_bytes, (struct archive *archive, int filter), (archive, filter)) \
    \
    F(struct archive *, archive_read_new, (void), ()) \
    F(int, archive_read_free, (struct archive *archive), (archive)) \
    F(int, archive_read_support_filter_gzip, (struct archive *archive), (archive)) \
    F(int, archive_read_support_filter_xz, (struct archive *archive), (archive)) \
    F(int, archive_read_support_filter_zstd, (struct archive *archive), (archive)) \
    F(int, archive_read_support_format_7zip, (struct archive *archive), (archive)) \
    F(int, archive_read_support_format_cpio, (struct archive *archive), (archive)) \
    F(int, archive_read_support_format_raw, (struct archive *archive), (archive)) \
    F(int, archive_read_support_format_tar, (struct archive *archive), (archive)) \
    F(int, archive_read_set_callback_data, (struct archive *archive, void *context), (archive, context)) \
    F(int, archive_read_set_read_callback, \
        (struct archive *archive, valise_archive_read_callback *read), (archive, read)) \
    F(int, archive_read_set_skip_callback, \
        (struct archive *archive, valise_archive_skip_callback *skip), (archive, skip)) \
    F(int, archive_read_set_seek_callback, \
        (struct archive *archive, valise_archive_seek_callback *seek), (archive, seek)) \
    F(int, archive_read_open1, (struct archive *archive), (archive)) \
    F(int, archive_read_next_header, (struct archive *archive, struct archive_entry **entry), (archive, entry)) \
    F(ssize_t, archive_read_data, (struct archive *archive, void *bytes, size_t count), (archive, bytes, count)) \
    F(int, archive_read_data_skip, (struct archive *archive), (archive)) \
    \
    F(struct archive *, archive_write_new, (void), ()) \
    F(int, archive_write_free, (struct archive *archive), (archive)) \
    F(int, archive_write_set_format_pax_restricted, (struct archive *archive), (archive)) \
    F(int, archive_write_add_filter_zstd, (struct archive *archive), (archive)) \
    F(int, archive_write_set_filter_option, \
        (struct archive *archive, const char *filter, const char *option, const char *value), \
        (archive, filter, option, value)) \
    F(int, archive_write_set_bytes_per_block, (struct archive *archive, int count), (archive, count)) \
    F(int, archive_write_set_bytes_in_last_block, (struct archive *archive, int count), (archive, count)) \
    F(int, archive_write_open, \
        (struct archive *archive, void *context, valise_archive_end_callback *open, \
            valise_archive_write_callback *write, valise_archive_end_callback *close), \
        (archive, context, open, write, close)) \
    F(int, archive_write_header, (struct archive *archive, struct archive_entry *entry), (archive, entry)) \
    F(ssize_t, archive_write_data, \
        (struct archive *archive, const void *bytes, size_t count), (archive, bytes, count)) \
    F(int, archive_write_finish_entry, (struct archive *archive), (archive)) \
    F(int, archive_write_close, (struct archive *archive), (archive)) \
    F(int, archive_write_fail, (struct archive *archive), (archive)) \
    \
    F(struct archive_entry *, archive_entry_new, (void), ()) \
    P(archive_entry_free, (struct archive_entry *entry), (entry)) \
    F(const char *, archive_entry_pathname, (struct archive_entry *entry), (entry)) \
    F(const char *, archive_entry_hardlink, (struct archive_entry *entry), (entry)) \
    F(uint32_t, archive_entry_filetype, (struct archive_entry *entry), (entry)) \
    F(int, archive_entry_is_encrypted, (struct archive_entry *entry), (entry)) \
    F(int64_t, archive_entry_size, (struct archive_entry *entry), (entry)) \
    F(int, archive_entry_size_is_set, (struct archive_entry *entry), (entry)) \
    F(int64_t, archive_entry_mtime, (struct archive_entry *entry), (entry)) \
    F(int, archive_entry_mtime_is_set, (struct archive_entry *entry), (entry)) \
    F(int, archive_entry_sparse_count, (struct archive_entry *entry), (entry)) \
    P(archive_entry_set_pathname, (struct archive_entry *entry, const char *name), (entry, name)) \
    P(archive_entry_set_filetype, (struct archive_entry *entry, uint32_t type), (entry, type)) \
    P(archive_entry_set_perm, (struct archive_entry *entry, uint32_t permissions), (entry, permissions)) \
    P(archive_entry_set_size, (struct archive_entry *entry, int64_t size), (entry, size)) \
    P(archive_entry_set_mtime, (struct archive_entry *entry, int64_t seconds, long nanoseconds), \
        (entry, seconds, nanoseconds))

#define VALISE_ARCHIVE_DECLARE(result, name, parameters, arguments) result valise_##name parameters;
#define VALISE_ARCHIVE_DECLARE_PROCEDURE(name, parameters, arguments) void valise_##name parameters;
VALISE_ARCHIVE_FUNCTIONS(VALISE_ARCHIVE_DECLARE, VALISE_ARCHIVE_DECLARE_PROCEDURE)

// The library converts names by the locale of the thread, and programs of Swift have none: names beyond ASCII would be
// refused. So the calls that convert run in a locale of UTF-8, which is put back behind them.
void *valise_archive_make_locale(void);
void valise_archive_free_locale(void *locale);
int valise_archive_next_header_in(struct archive *archive, struct archive_entry **entry, void *locale);
const char *valise_archive_pathname_in(struct archive_entry *entry, void *locale);
int valise_archive_write_header_in(struct archive *archive, struct archive_entry *entry, void *locale);
