/* SPDX-License-Identifier: Apache-2.0
 *
 * modes: an LD_PRELOAD library that runs a program with umask 000 and reports what it makes for others to use,
 * even for a moment.
 *
 *   gcc -std=gnu11 -shared -fPIC -O2 -Wall -Wextra -Werror -o modes.so modes.c -ldl
 *
 *   MODES_REPORT  absolute path of a file that gets a line "OP MODE PATH" for each file or folder that was made or
 *                 changed with rights for the group or others, and "made PATH" for each that was made without.
 *
 * Seen: open with O_CREAT of what is not there, creat, mkdir, chmod, and their kin. Not seen: sockets, which are made in a
 * folder of their own, and what glibc makes inside itself (mkstemp, which asks for 0600). Children are left alone.
 */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char report[PATH_MAX];

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("MODES_REPORT");
    if (path == NULL || strlen(path) >= sizeof report) return;
    strcpy(report, path);
    unsetenv("LD_PRELOAD");
    umask(0);
}

static void tell(const char *operation, mode_t mode, int folder, const char *path) {
    if (report[0] == 0) return;
    int error = errno;
    char line[PATH_MAX + 64];
    bool is_open = (mode & 077) != 0;
    char place[PATH_MAX] = "";
    if (path == NULL) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t count = readlink(link, place, sizeof place - 1);
        place[count < 0 ? 0 : count] = 0;
        path = place;
    }
    int length = is_open ? snprintf(line, sizeof line, "%s %04o %s\n", operation, mode & 07777, path)
                         : snprintf(line, sizeof line, "made %s\n", path);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, line, (size_t)length) != length) _exit(97);
    close(fd);
    errno = error;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    bool is_made = (flags & O_TMPFILE) == O_TMPFILE
                   || ((flags & O_CREAT) != 0 && syscall(SYS_faccessat, folder, path, F_OK) != 0);
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && is_made) tell("open", mode, folder, path);
    return fd;
}

#define MODE_OF(flags) \
    mode_t mode = 0; \
    if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_at(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int mkdirat(int folder, const char *path, mode_t mode) {
    int result = (int)syscall(SYS_mkdirat, folder, path, mode);
    if (result == 0) tell("mkdir", mode, folder, path);
    return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int chmod(const char *path, mode_t mode) {
    int result = (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
    if (result == 0 && (mode & 077) != 0) tell("chmod", mode, AT_FDCWD, path);
    return result;
}
int fchmod(int fd, mode_t mode) {
    int result = (int)syscall(SYS_fchmod, fd, mode);
    if (result == 0 && (mode & 077) != 0) tell("fchmod", mode, fd, NULL);
    return result;
}
