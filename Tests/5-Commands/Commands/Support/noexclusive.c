// A library for LD_PRELOAD that makes the file system look like one that cannot rename without replacing, as NFS;
// with NO_LINKS in the environment it has no hard links either.
//
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    static int (*next)(int, const char *, int, const char *, unsigned);
    if (flags != 0) {
        errno = EINVAL;
        return -1;
    }
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "renameat2");
    return next(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (getenv("NO_LINKS") != NULL) {
        errno = EPERM;
        return -1;
    }
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "link");
    return next(from, to);
}
