/* SPDX-License-Identifier: Apache-2.0
 *
 * badclose: an LD_PRELOAD library that notes each close of a descriptor that is not open. It was closed twice then, and
 * another thread may have had its number already.
 *
 *   BADCLOSE_REPORT   absolute path of a file that gets a line for each; it is not made where there are none
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int close(int number) {
    int result = (int) syscall(SYS_close, number);
    int error = errno;
    const char *path = getenv("BADCLOSE_REPORT");
    if (result != 0 && error == EBADF && path) {
        int report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        dprintf(report, "%d\n", number);
        syscall(SYS_close, report);
    }
    errno = error;
    return result;
}
