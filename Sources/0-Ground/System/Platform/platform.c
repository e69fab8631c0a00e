// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1

#include "CPlatform.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#else
#include <sys/clonefile.h>
#endif

#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define GET_LOCK F_GETLK
#endif

static struct flock range_lock(short type, int64_t start, int64_t length) {
    struct flock lock = {0};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = start;
    lock.l_len = length;
    return lock;
}

int valise_lock_range(int descriptor, bool exclusive, int64_t start, int64_t length) {
    struct flock lock = range_lock(exclusive ? F_WRLCK : F_RDLCK, start, length);
    return fcntl(descriptor, SET_LOCK, &lock);
}

void valise_unlock(int descriptor) {
    struct flock lock = range_lock(F_UNLCK, 0, 0);
    fcntl(descriptor, SET_LOCK, &lock);
}

int valise_lock_holder(int descriptor, int64_t start, int64_t length, struct valise_lock_owner *holder) {
    struct flock lock = range_lock(F_WRLCK, start, length);
    if (fcntl(descriptor, GET_LOCK, &lock) != 0) return -1;
    holder->held = lock.l_type != F_UNLCK;
    holder->pid = holder->held && lock.l_pid > 0 ? lock.l_pid : 0;
    return 0;
}

int valise_rename_exclusive(const char *from, const char *to) {
#ifdef __linux__
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#else
    return renamex_np(from, to, RENAME_EXCL);
#endif
}

int valise_open_unnamed(const char *folder) {
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
#else
    (void)folder;
    errno = ENOSYS;
    return -1;
#endif
}

int64_t valise_mount_id(const char *path) {
#ifdef STATX_MNT_ID
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &status) == 0 &&
        (status.stx_mask & STATX_MNT_ID) != 0) {
        return (int64_t)status.stx_mnt_id;
    }
#else
    (void)path;
#endif
    return -1;
}

int valise_may_change(const char *folder) { return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS); }

int valise_clone(int from, int to) {
#ifdef __linux__
    return ioctl(to, FICLONE, from);
#else
    (void)from;
    (void)to;
    errno = ENOTSUP;
    return -1;
#endif
}

ssize_t valise_copy_range(int from, int to, size_t length) {
#ifdef __linux__
    return copy_file_range(from, NULL, to, NULL, length, 0);
#else
    (void)from;
    (void)to;
    (void)length;
    errno = ENOSYS;
    return -1;
#endif
}

void valise_return_memory(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void valise_start_writeback(int descriptor, int64_t start, int64_t length) {
#ifdef __linux__
    (void)sync_file_range(descriptor, start, length, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
    (void)start;
    (void)length;
#endif
}

int valise_open_uncached(int descriptor) {
#ifdef __linux__
    // By its number, not by its name, which may lead to another file by now.
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
#else
    (void)fcntl(descriptor, F_NOCACHE, 1);
    return -1;
#endif
}

int valise_reserve(int descriptor, int64_t size) {
#ifdef __linux__
    int result;
    do result = fallocate(descriptor, 0, 0, size);
    while (result != 0 && errno == EINTR);
    return result;
#else
    (void)descriptor;
    (void)size;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

void valise_prefer_large_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

void valise_drop_cache(int descriptor) {
#ifdef __linux__
    (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
#else
    (void)descriptor;
#endif
}

int valise_flush(int descriptor) {
#ifdef F_FULLFSYNC
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(descriptor);
}

int valise_flush_file_system(int descriptor) {
#ifdef __linux__
    return syncfs(descriptor);
#else
    (void)descriptor;
    sync();
    return 0;
#endif
}

int valise_forbid_core_dumps(void) {
    struct rlimit none = {0, 0};
    int result = setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) result = -1;
#endif
    return result;
}

bool valise_core_dumps_are_off(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_cur != 0) return false;
#ifdef __linux__
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
#else
    return true;
#endif
}

int valise_clock_is_synchronized(void) {
#ifdef __linux__
    // Without a mode it changes nothing, and needs no privilege.
    struct timex clock = {0};
    if (adjtimex(&clock) < 0) return -1;
    return (clock.status & STA_UNSYNC) == 0;
#else
    return -1;
#endif
}

int64_t valise_locked_memory_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return -1;
    return limit.rlim_cur < (rlim_t)INT64_MAX ? (int64_t)limit.rlim_cur : INT64_MAX;
}

static struct termios former_terminal;
static volatile sig_atomic_t echo_is_off;

bool valise_echo_off(int descriptor) {
    if (tcgetattr(descriptor, &former_terminal) != 0) return false;
    struct termios silent = former_terminal;
    silent.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    if (tcsetattr(descriptor, TCSAFLUSH, &silent) != 0) return false;
    echo_is_off = 1;
    return true;
}

void valise_echo_on(int descriptor) {
    if (!echo_is_off) return;
    (void)tcsetattr(descriptor, TCSAFLUSH, &former_terminal);
    echo_is_off = 0;
}

int valise_terminal_width(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

int valise_terminal_height(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return 24;
    return size.ws_row;
}

static volatile sig_atomic_t interrupted;
static struct timespec first_interrupt;

// A program such as timeout sends a signal to us and then to our process group: two in a moment are one. A user who is not
// content with the first takes longer.
static bool is_repeated(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return true;
    int64_t passed = (int64_t)(now.tv_sec - first_interrupt.tv_sec) * 1000
        + (now.tv_nsec - first_interrupt.tv_nsec) / 1000000;
    return passed >= 200;
}

static void note_interrupt(int signal_number) {
    if (!interrupted) {
        (void)clock_gettime(CLOCK_MONOTONIC, &first_interrupt);
    } else if (is_repeated()) {
        valise_echo_on(STDIN_FILENO);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupted = 1;
}

void valise_catch_interrupts(void) {
    struct sigaction action = {0};
    action.sa_handler = note_interrupt;
    sigemptyset(&action.sa_mask);
    // Without SA_RESTART, so that a prompt returns. SA_NODEFER lets the second signal through.
    action.sa_flags = SA_NODEFER;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    // A launcher may have started us from a thread that blocks signals; blocked ones would never arrive.
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    (void)sigprocmask(SIG_UNBLOCK, &wanted, NULL);
}

static volatile sig_atomic_t hung_up;

static void note_hangup(int signal_number) {
    (void)signal_number;
    hung_up = 1;
}

void valise_catch_hangups(void) {
    struct sigaction action = {0};
    action.sa_handler = note_hangup;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGHUP, &action, NULL);
}

bool valise_take_hangup(void) {
    if (!hung_up) return false;
    hung_up = 0;
    return true;
}

void valise_leave_interrupts(bool to_others) {
    if (to_others) {
        (void)signal(SIGINT, SIG_IGN);
    } else {
        valise_catch_interrupts();
    }
}

bool valise_interrupted(void) { return interrupted != 0; }

int64_t valise_raise_descriptors(int64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    rlim_t most = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (limit.rlim_cur < most) {
        struct rlimit raised = {most, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur < INT32_MAX ? (int64_t)limit.rlim_cur : INT32_MAX;
}

int valise_core_count(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

#ifdef __linux__
// What the possessor of a key may do, and the same user in a session that does not possess it: all of it
// but changing the permissions. Nobody else.
static const uint32_t key_permissions = 0x3f0f0000;

int32_t valise_key_store(const char *description, const void *bytes, size_t count) {
    long key = syscall(SYS_add_key, "user", description, bytes, count, KEY_SPEC_USER_KEYRING);
    if (key >= 0 && syscall(SYS_keyctl, KEYCTL_SETPERM, key, key_permissions) != 0) return -1;
    return (int32_t)key;
}

int32_t valise_key_find(const char *description) {
    return (int32_t)syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", description, 0);
}

ssize_t valise_key_read(int32_t key, void *bytes, size_t capacity) {
    return syscall(SYS_keyctl, KEYCTL_READ, key == 0 ? KEY_SPEC_USER_KEYRING : key, bytes, capacity);
}

ssize_t valise_key_describe(int32_t key, char *text, size_t capacity) {
    return syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, text, capacity);
}

int valise_key_forget(int32_t key) {
    // Revoking wipes at once, while another process may still hold the key; both have to be tried.
    (void)syscall(SYS_keyctl, KEYCTL_REVOKE, key);
    return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
}
#else
int32_t valise_key_store(const char *description, const void *bytes, size_t count) {
    (void)description, (void)bytes, (void)count;
    errno = ENOSYS;
    return -1;
}

int32_t valise_key_find(const char *description) {
    (void)description;
    errno = ENOSYS;
    return -1;
}

ssize_t valise_key_read(int32_t key, void *bytes, size_t capacity) {
    (void)key, (void)bytes, (void)capacity;
    errno = ENOSYS;
    return -1;
}

ssize_t valise_key_describe(int32_t key, char *text, size_t capacity) {
    (void)key, (void)text, (void)capacity;
    errno = ENOSYS;
    return -1;
}

int valise_key_forget(int32_t key) {
    (void)key;
    errno = ENOSYS;
    return -1;
}
#endif

int valise_pipe(int ends[2]) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

void valise_hold_pipe_signal(struct valise_pipe_signal *held) {
    sigset_t broken, pending;
    (void)sigemptyset(&broken);
    (void)sigaddset(&broken, SIGPIPE);
    held->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    (void)pthread_sigmask(SIG_BLOCK, &broken, &held->mask);
}

void valise_drop_pipe_signal(const struct valise_pipe_signal *held) {
    sigset_t broken, pending;
    int error = errno;
    if (!held->was_pending && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) {
        (void)sigemptyset(&broken);
        (void)sigaddset(&broken, SIGPIPE);
#ifdef __linux__
        const struct timespec at_once = {0, 0};
        (void)sigtimedwait(&broken, NULL, &at_once);
#else
        int signal = 0;
        (void)sigwait(&broken, &signal);
#endif
    }
    (void)pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
    errno = error;
}

ssize_t valise_write(int descriptor, const void *bytes, size_t count) {
    struct valise_pipe_signal held;
    valise_hold_pipe_signal(&held);
    ssize_t written = write(descriptor, bytes, count);
    valise_drop_pipe_signal(&held);
    return written;
}

static void explain(char *reason) {
    const char *text = dlerror();
    (void)snprintf(reason, valise_reason_size, "%s", text != NULL ? text : "unknown reason");
}

void *valise_library_open(const char *const *names, size_t count, char *reason) {
    for (size_t i = 0; i < count; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) return library;
        explain(reason);
    }
    return NULL;
}

bool valise_library_find(void *library, const char *name, void *pointer, char *reason) {
    void *address = dlsym(library, name);
    if (address == NULL) {
        explain(reason);
        return false;
    }
    memcpy(pointer, &address, sizeof address);
    return true;
}
