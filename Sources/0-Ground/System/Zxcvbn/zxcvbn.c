#define _GNU_SOURCE  // close_range
#include "valise_zxcvbn.h"

#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zxcvbn.h>

// The library copies the passphrase and frees the copies unwiped. They go with a process of their own, which inherits that it
// may not dump core. glibc lets a child of a process with threads allocate memory.
double valise_passphrase_bits(const char *passphrase) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        // Nothing that is open stays shared with this process, above all no lock.
        if (dup2(ends[1], STDIN_FILENO) < 0) _exit(1);
#ifdef __linux__
        close_range(STDIN_FILENO + 1, ~0U, 0);
#endif
        double bits = ZxcvbnMatch(passphrase, NULL, NULL);
        _exit(write(STDIN_FILENO, &bits, sizeof bits) == (ssize_t)sizeof bits ? 0 : 1);
    }
    close(ends[1]);
    double bits = -1;
    ssize_t got = 0;
    if (child > 0) {
        do got = read(ends[0], &bits, sizeof bits);
        while (got < 0 && errno == EINTR);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    close(ends[0]);
    return got == (ssize_t)sizeof bits ? bits : -1;
}
