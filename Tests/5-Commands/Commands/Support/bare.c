// A library for LD_PRELOAD that makes a machine look bare: no libsecret, and a kernel that forbids its keyring,
// as many containers do.
//
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_add_key || number == SYS_keyctl || number == SYS_request_key) {
        errno = EPERM;
        return -1;
    }
    static long (*next)(long, ...);
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(
        number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

void *dlopen(const char *name, int flags) {
    static void *(*next)(const char *, int);
    if (name != NULL && strstr(name, "libsecret") != NULL) return NULL;
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(name, flags);
}
