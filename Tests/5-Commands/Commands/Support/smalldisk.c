// A library for LD_PRELOAD: says that a disk has SMALLDISK_FREE bytes free, and not what it has.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/statvfs.h>

static int shrink(int result, struct statvfs *information) {
    const char *free = getenv("SMALLDISK_FREE");
    if (result == 0 && free != NULL) {
        information->f_bavail = strtoull(free, NULL, 10) / information->f_frsize;
    }
    return result;
}

int statvfs(const char *path, struct statvfs *information) {
    int (*next)(const char *, struct statvfs *) = dlsym(RTLD_NEXT, "statvfs");
    return shrink(next(path, information), information);
}

int statvfs64(const char *path, struct statvfs64 *information) {
    int (*next)(const char *, struct statvfs64 *) = dlsym(RTLD_NEXT, "statvfs64");
    return shrink(next(path, information), (struct statvfs *)information);
}
