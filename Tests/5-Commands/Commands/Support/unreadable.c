// Makes files whose name holds UNREADABLE refuse to be opened, also for root.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int is_refused(const char *path) {
    const char *name = getenv("UNREADABLE");
    return name && path && strstr(path, name);
}

#define MODE(mode, flags) \
    int mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
        va_list list; \
        va_start(list, flags); \
        mode = va_arg(list, int); \
        va_end(list); \
    }

#define OPEN(symbol) \
    int symbol(const char *path, int flags, ...) { \
        MODE(mode, flags) \
        if (is_refused(path)) { errno = EACCES; return -1; } \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #symbol); \
        return real(path, flags, mode); \
    }

#define OPENAT(symbol) \
    int symbol(int folder, const char *path, int flags, ...) { \
        MODE(mode, flags) \
        if (is_refused(path)) { errno = EACCES; return -1; } \
        int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #symbol); \
        return real(folder, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
