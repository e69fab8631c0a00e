/* SPDX-License-Identifier: Apache-2.0
 *
 * faultline: an LD_PRELOAD library that counts the changes a program makes to files and, at the n-th,
 * kills it, fails it, cuts a write short or takes the power away. The tests run the real binary under
 * it once for every n, and look each time at what was left on disk.
 *
 *   gcc -std=gnu11 -shared -fPIC -O2 -Wall -Wextra -Werror -o faultline.so faultline.c -ldl
 *
 *   FAULTLINE_ROOT    folders, separated by ':'. Only operations on them or on what lies in them count.
 *   FAULTLINE_MODE    count      only counts
 *                     trace      counts, and adds a line "n op path[ -> path2] [offset] [length]" to the
 *                                report for each operation
 *                     kill       SIGKILL instead of operation n
 *                     fail       operation n is not done and returns FAULTLINE_ERRNO
 *                     short      operation n, if it writes more than one byte, writes half of them
 *                     powerloss  as kill, but all that was not yet made durable is undone before
 *   FAULTLINE_AT      n, from 1
 *   FAULTLINE_REPORT  absolute path of a file that gets the number of operations when the program ends:
 *                     as its only line, or in trace mode as its last. It is less than n if the fault
 *                     was never reached. (A program that was killed leaves no number.)
 *   FAULTLINE_AFTER   1: kill or powerloss comes just after operation n instead of in its place
 *   FAULTLINE_TORN    1: kill comes when a write is half done
 *   FAULTLINE_ERRNO   ENOSPC, EDQUOT, EIO (if not set), EINTR or EACCES
 *   FAULTLINE_STICKY  1: later operations fail too: for EIO all, for ENOSPC and EDQUOT those that need
 *                     space: writes, fallocate, and whatever makes a new directory entry except rename
 *   FAULTLINE_SAVE    for powerloss: an empty folder outside the roots, on the same file system
 *   FAULTLINE_LOSE    for powerloss: all (if not set), or only data or only entries. The latter two stand
 *                     for a file system that happened to write the other half by itself in time.
 *
 * What counts: operations that change something or make it durable. Those that can have no effect (a
 * mkdir of what exists, an unlink of what does not, an open that neither creates nor truncates, a write
 * of no bytes) do not, for the kernel would have answered them before looking for space or the disk.
 * Not seen: stores to mapped memory, chmod and times, a file created through a link that leads nowhere,
 * and calls glibc makes inside itself (fopen and fwrite, mkstemp, mkdtemp). Only the program itself
 * counts; children, forked or started, are left alone, therefore FAULTLINE_MODE is taken out of the
 * environment. A mistake in these variables, or a power loss that cannot be played, ends the program with
 * status 97.
 *
 * What a power loss takes, stricter than most file systems are:
 *   - The data of a file goes back to what it was at its last fsync or fdatasync; sync_file_range, sync
 *     and O_SYNC promise nothing. What was there when the program started is durable.
 *   - After syncfs everything is durable, data and names: the roots are taken to lie on one file system.
 *   - A directory entry made, renamed or removed goes back unless fsync was called on its directory
 *     afterwards; fsync of the file does not save its name. Entries go back in reverse order.
 *   - A rename between two directories is durable when both are synced: until then the file is back
 *     under its old name, never under both. But if a later change to one of the two names was made durable
 *     by itself, the rename went before it; and if the old folder has durably gone, the file is lost.
 *   - A new directory that was not durable is gone with all in it, whatever was synced inside.
 */
/* Under these the headers give open() an inline body or call it open64(), and both are defined here. */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8 && sizeof(long) == 8, "only for 64 bit, where x and x64 are the same");

enum { OFF, COUNT, TRACE, KILL, FAIL, SHORT, POWERLOSS };
static int mode = OFF;
static bool after, torn, sticky, lose_data = true, lose_entries = true;
static int failure = EIO, save_dir = -1;
static long at, count;
static const char *report;
static char roots[16][PATH_MAX];
static pid_t owner;

/* Held over a whole operation, so that nothing changes while the fault is played. Only operations on
   regular files and folders get here, so nobody waits long. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Set while this thread holds the lock: a signal handler that writes must not wait for its own thread. */
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

/* What an operation does. */
enum { WRITES = 1, NEEDS_SPACE = 2, DATA = 4, SYNCS = 8, ADDS = 16, REMOVES = 32, MOVES = 64, SYNCS_ALL = 128 };

struct place {
    bool counted, exists;
    int dir, fd;              /* the folder (O_PATH) and name below, or the file descriptor; else -1 */
    char name[NAME_MAX + 1];
    char path[PATH_MAX + NAME_MAX + 2];
    struct stat st;
};

/* Every operation is carried out as a raw system call: no way leads from here into the functions below. */
struct op {
    const char *name;
    unsigned does;
    long nr, arg[6];
    struct place *a, *b;      /* b: where a rename goes */
    long long offset, length; /* -1: has none */
    int length_arg;           /* which argument is the length of a write; 0: it is a vector */
};

static long pass(const struct op *op) {
    const long *a = op->arg;
    return syscall(op->nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void give_up(const char *why) {
    char line[300];
    int n = snprintf(line, sizeof line, "faultline: %s (%s)\n", why, strerror(errno));
    syscall(SYS_write, 2, line, n);
    for (;;) syscall(SYS_exit_group, 97);
}

static void to_report(int flags, const char *line, int length) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
    if (fd < 0 || syscall(SYS_write, fd, line, length) != length) give_up("cannot write FAULTLINE_REPORT");
    syscall(SYS_close, fd);
}

/* ---- Power loss: what is not durable yet, and how to undo it ---- */

/* A file that was written to or a folder whose entries changed. Its descriptor stays open for good: closing
   any descriptor of a file drops the POSIX locks the process (SQLite) has on it, an open one keeps the
   inode number from being given to another file, and it reaches the file wherever it is moved to. */
struct node {
    dev_t dev;
    ino_t ino;
    int fd;
    bool dirty;               /* written to since the last sync, when it was: */
    char *data;
    off_t size;
};
static struct node **nodes;
static size_t node_count;

/* A change of one entry (or of two, by a rename) that is not durable yet. */
struct entry {
    unsigned does, flags;     /* flags: those of renameat2 */
    struct node *dir[2];
    char name[2][NAME_MAX + 1];
    unsigned synced;          /* bit i: dir[i] was */
    int victim;               /* what was removed or replaced: 0 nothing, -1 a folder, or kept.<victim> */
    mode_t victim_mode;
    struct node *victim_node;
};
static struct entry *entries;
static size_t entry_count;
static int names_used;

static void *grown(void *array, size_t count, size_t size) {
    if (count & (count - 1)) return array; /* grows at each power of two */
    if (!(array = realloc(array, (count ? 2 * count : 1) * size))) give_up("out of memory");
    return array;
}

static struct node *find(const struct stat *st) {
    for (size_t i = 0; i < node_count; i++)
        if (nodes[i]->ino == st->st_ino && nodes[i]->dev == st->st_dev) return nodes[i];
    return NULL;
}

static struct node *node_for(const struct stat *st, int fd) {
    struct node *node = calloc(1, sizeof *node);
    if (!node || fd < 0) give_up("cannot open a file or folder again");
    *node = (struct node){.dev = st->st_dev, .ino = st->st_ino, .fd = fd};
    nodes = grown(nodes, node_count, sizeof *nodes);
    return nodes[node_count++] = node;
}

static struct node *folder(const struct place *p) {
    struct stat st;
    if (fstat(p->dir, &st)) give_up("fstat");
    struct node *node = find(&st);
    return node ? node : node_for(&st, fcntl(p->dir, F_DUPFD_CLOEXEC, 3));
}

/* Before the first write since a sync: keeps the content as it is. */
static void save_data(const struct place *p) {
    struct node *node = find(&p->st);
    if (!node) {
        char self[40];
        snprintf(self, sizeof self, "/proc/self/fd/%d", p->fd);
        node = node_for(&p->st, (int)(p->fd >= 0 ? syscall(SYS_openat, AT_FDCWD, self, O_RDWR | O_CLOEXEC)
                                                 : syscall(SYS_openat, p->dir, p->name, O_RDWR | O_CLOEXEC)));
    }
    if (node->dirty) return;
    struct stat st;
    if (fstat(node->fd, &st) || !(node->data = malloc(st.st_size + 1))) give_up("cannot save a file");
    for (off_t got = 0, n; got < st.st_size; got += n)
        if ((n = pread(node->fd, node->data + got, st.st_size - got, got)) <= 0) give_up("cannot save a file");
    node->size = st.st_size;
    node->dirty = true;
}

static void save_victim(const struct place *p, struct entry *e) {
    char kept[32];
    e->victim_mode = p->st.st_mode & 07777;
    e->victim = S_ISDIR(p->st.st_mode) ? -1 : ++names_used;
    e->victim_node = e->victim < 0 ? find(&p->st) : NULL;
    snprintf(kept, sizeof kept, "kept.%d", e->victim);
    if (e->victim > 0 && syscall(SYS_linkat, p->dir, p->name, save_dir, kept, 0))
        give_up("cannot link into FAULTLINE_SAVE");
}

static bool share_a_name(const struct entry *x, const struct entry *y) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (x->dir[i] && x->dir[i] == y->dir[j] && !strcmp(x->name[i], y->name[j])) return true;
    return false;
}

static bool is_durable(const struct entry *e) { return e->synced == (e->dir[1] ? 3 : 1); }

/* What was pending in a folder that has durably gone no longer matters, except that what was moved out
   of it now only has its new name to lose. */
static void folder_is_gone(struct entry *e, const struct node *gone) {
    if (e->dir[0] != gone && e->dir[1] != gone) return;
    if (!(e->does & MOVES) || e->dir[1] == gone) {
        e->synced = e->dir[1] ? 3 : 1;
        return;
    }
    e->does = ADDS;
    e->synced >>= 1;
    e->dir[0] = e->dir[1];
    e->dir[1] = NULL;
    strcpy(e->name[0], e->name[1]);
}

static void synced(const struct stat *st) {
    struct node *node = find(st);
    if (!node) return;
    free(node->data);
    node->data = NULL;
    node->dirty = false;
    for (size_t i = entry_count; i-- > 0;) {
        struct entry *e = &entries[i];
        e->synced |= (e->dir[0] == node) | (e->dir[1] == node) << 1;
        for (size_t j = 0; is_durable(e) && j < i; j++) {
            if (share_a_name(e, &entries[j])) entries[j].synced = entries[j].dir[1] ? 3 : 1;
            if (e->victim_node) folder_is_gone(&entries[j], e->victim_node);
        }
    }
    size_t left = 0;
    for (size_t i = 0; i < entry_count; i++)
        if (!is_durable(&entries[i])) entries[left++] = entries[i];
    entry_count = left; /* grown() sees a smaller power of two again and reallocates: harmless */
}

/* After syncfs. The entries need not be looked at one by one, for each of them is durable. */
static void all_synced(void) {
    for (size_t i = 0; i < node_count; i++) {
        free(nodes[i]->data);
        nodes[i]->data = NULL;
        nodes[i]->dirty = false;
    }
    entry_count = 0;
}

static void put_back(struct entry *e, int i) {
    char kept[32];
    long failed = 0;
    snprintf(kept, sizeof kept, "kept.%d", e->victim);
    if (e->victim > 0)
        failed = syscall(SYS_renameat2, save_dir, kept, e->dir[i]->fd, e->name[i], 0);
    else if (e->victim < 0)
        failed = syscall(SYS_mkdirat, e->dir[i]->fd, e->name[i], e->victim_mode);
    if (failed) give_up("cannot put back what was removed");
    if (e->victim < 0 && e->victim_node) /* entries that were in it go into the new one */
        e->victim_node->fd = (int)syscall(SYS_openat, e->dir[i]->fd, e->name[i], O_PATH | O_CLOEXEC);
}

static void undo(struct entry *e) {
    char lost[32];
    snprintf(lost, sizeof lost, "lost.%d", ++names_used);
    if (e->does & ADDS && syscall(SYS_renameat2, e->dir[0]->fd, e->name[0], save_dir, lost, 0))
        give_up("cannot take away what was added");
    if (e->does & (ADDS | REMOVES)) put_back(e, 0);
    if (e->does & MOVES) {
        if (syscall(SYS_renameat2, e->dir[1]->fd, e->name[1], e->dir[0]->fd, e->name[0], e->flags))
            give_up("cannot rename back");
        put_back(e, 1);
    }
}

static void wait_for_the_end(int number) {
    (void)number;
    for (;;) pause();
}

static void lose_power(void) {
    signal(SIGBUS, wait_for_the_end); /* other threads may have mapped what is cut off now (SQLite's -shm) */
    umask(0);
    while (lose_entries && entry_count > 0) undo(&entries[--entry_count]);
    for (size_t i = 0; lose_data && i < node_count; i++) {
        struct node *node = nodes[i];
        if (!node->dirty) continue;
        if (syscall(SYS_ftruncate, node->fd, node->size)) give_up("cannot restore a file");
        for (off_t done = 0, n; done < node->size; done += n)
            if ((n = syscall(SYS_pwrite64, node->fd, node->data + done, node->size - done, done)) <= 0)
                give_up("cannot restore a file");
    }
}

/* ---- The n-th operation ---- */

static void stop(void) {
    if (mode == POWERLOSS) lose_power();
    for (;;) syscall(SYS_kill, owner, SIGKILL);
}

static void trace(const struct op *op) {
    static char line[2 * sizeof op->a->path + 100];
    int n = snprintf(line, sizeof line, "%ld %s %s", count, op->name, op->a->path);
    if (op->b) n += snprintf(line + n, sizeof line - n, " -> %s", op->b->path);
    if (op->offset >= 0) n += snprintf(line + n, sizeof line - n, " %lld", op->offset);
    if (op->length >= 0) n += snprintf(line + n, sizeof line - n, " %lld", op->length);
    line[n++] = '\n';
    to_report(O_APPEND, line, n);
}

static bool halve(struct op *op) {
    static struct iovec part[IOV_MAX];
    if (!(op->does & WRITES) || op->length < 2) return false;
    size_t left = op->length / 2;
    if (op->length_arg) {
        op->arg[op->length_arg] = (long)left;
        return true;
    }
    for (long i = 0; left > 0 && i < op->arg[2]; i++) {
        part[i] = ((const struct iovec *)op->arg[1])[i];
        if (part[i].iov_len > left) part[i].iov_len = left;
        left -= part[i].iov_len;
        if (left == 0) op->arg[2] = i + 1;
    }
    op->arg[1] = (long)part;
    return true;
}

/* Does the operation and notes what of it a power loss would undo. */
static long perform(struct op *op) {
    struct entry e = {.does = op->does & (ADDS | REMOVES | MOVES), .flags = op->b ? (unsigned)op->arg[4] : 0};
    int before = errno;
    if (mode == POWERLOSS) {
        if (op->does & DATA) save_data(op->a);
        struct place *places[2] = {op->a, op->b};
        for (int i = 0; e.does && i < 2 && places[i]; i++) {
            e.dir[i] = folder(places[i]);
            strcpy(e.name[i], places[i]->name);
        }
        if (e.does & REMOVES) save_victim(op->a, &e);
        if (e.does & MOVES && op->b->exists && !e.flags) save_victim(op->b, &e);
    }
    errno = before;
    long result = pass(op);
    if (mode != POWERLOSS) return result;
    before = errno;
    if (result < 0 && e.victim > 0) {
        char kept[32];
        snprintf(kept, sizeof kept, "kept.%d", e.victim);
        syscall(SYS_unlinkat, save_dir, kept, 0);
    } else if (result >= 0 && e.does) {
        entries = grown(entries, entry_count, sizeof *entries);
        entries[entry_count++] = e;
    } else if (result >= 0 && op->does & SYNCS_ALL) {
        all_synced();
    } else if (result >= 0 && op->does & SYNCS) {
        synced(&op->a->st);
    }
    errno = before;
    return result;
}

static long run(struct op *op) {
    inside = true;
    pthread_mutex_lock(&lock);
    long n = op->a->counted || (op->b && op->b->counted) ? ++count : 0; /* 0: a sync outside, see on_fd() */
    bool now = n > 0 && n == at, dies = now && (mode == KILL || mode == POWERLOSS);
    bool no_space = failure == ENOSPC || failure == EDQUOT;
    bool fails = now || (sticky && n > at && (failure == EIO || (no_space && op->does & NEEDS_SPACE)));
    long result = -1;
    if (mode == TRACE && report) trace(op);
    if (mode == FAIL && fails) {
        errno = failure;
    } else {
        bool halved = now && (mode == SHORT || (mode == KILL && torn)) && halve(op);
        if (dies && !after && !halved) stop();
        result = perform(op);
        if (dies) stop();
    }
    pthread_mutex_unlock(&lock);
    inside = false;
    return result;
}

/* ---- Where an operation takes place ---- */

/* The process id tells a child made by fork, vfork or clone: it must not even touch the lock. */
static bool watching(void) { return mode != OFF && !inside && getpid() == owner; }

static bool path_of(int fd, char path[PATH_MAX]) {
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(self, path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = 0;
    return n > 0;
}

static bool under_root(const char *path) {
    for (int i = 0; i < 16 && roots[i][0]; i++) {
        size_t n = strlen(roots[i]);
        if (!strncmp(path, roots[i], n) && (path[n] == 0 || path[n] == '/')) return true;
    }
    return false;
}

/* Asked anew for each operation: a remembered answer would be wrong after a rename, or after a close that
   went past us (fclose), and the question is cheap. */
static bool locate_fd(int fd, struct place *p) {
    p->dir = -1;
    p->fd = fd;
    p->exists = true;
    if (fstat(fd, &p->st) || !(S_ISREG(p->st.st_mode) || S_ISDIR(p->st.st_mode))) return false;
    if (!path_of(fd, p->path)) return false;
    p->counted = under_root(p->path);
    return true;
}

/* True if the folder exists; then p->dir must be closed. Links on the way are followed. */
static bool locate(int from, const char *path, bool follow, struct place *p) {
    char folder[PATH_MAX];
    size_t n = path ? strlen(path) : 0, cut;
    p->dir = p->fd = -1;
    while (n > 1 && path[n - 1] == '/') n--;
    if (n == 0 || n >= sizeof folder) return false;
    for (cut = n; cut > 0 && path[cut - 1] != '/';) cut--;
    if (n - cut > NAME_MAX || n == cut) return false;
    memcpy(p->name, path + cut, n - cut);
    p->name[n - cut] = 0;
    if (!strcmp(p->name, ".") || !strcmp(p->name, "..")) return false;
    memcpy(folder, cut ? path : ".", cut ? cut : 1);
    folder[cut ? cut : 1] = 0;
    p->dir = (int)syscall(SYS_openat, from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (p->dir < 0) return false;
    if (!path_of(p->dir, p->path)) p->path[0] = 0;
    strcat(strcat(p->path, strcmp(p->path, "/") ? "/" : ""), p->name);
    p->counted = under_root(p->path);
    p->exists = !fstatat(p->dir, p->name, &p->st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
    return true;
}

static long on_fd(struct op *op, int fd) {
    struct place a = {.fd = -1};
    int before = errno;
    bool runs = watching() && op->length != 0 && locate_fd(fd, &a);
    /* A root may be a new folder itself; then the folder around it, not counted, has to be synced. */
    runs = runs && (a.counted || (mode == POWERLOSS && op->does & SYNCS));
    op->a = &a;
    errno = before;
    return runs ? run(op) : pass(op);
}

/* existing: whether the operation is about something that is there, or makes something new. */
static long on_path(struct op *op, int from, const char *path, bool existing) {
    struct place a = {.dir = -1};
    int before = errno;
    bool runs = watching() && locate(from, path, op->does & DATA, &a) && a.exists == existing && a.counted;
    op->a = &a;
    errno = before;
    long result = runs ? run(op) : pass(op);
    before = errno;
    if (a.dir >= 0) syscall(SYS_close, a.dir);
    errno = before;
    return result;
}

static long opening(int from, const char *path, int flags, mode_t perm) {
    struct op op = {.nr = SYS_openat, .arg = {from, (long)path, flags, perm}, .offset = -1, .length = -1};
    if (!(flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE) return pass(&op);
    struct stat st;
    int before = errno;
    bool exists = !fstatat(from, path ? path : "", &st, 0);
    errno = before;
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        op.name = "create";
        op.does = NEEDS_SPACE;
    } else if (exists && flags & O_TRUNC && S_ISREG(st.st_mode) && !(flags & O_CREAT && flags & O_EXCL)) {
        op.name = "truncate";
        op.does = DATA;
    } else if (!exists && flags & O_CREAT) {
        op.name = "create";
        op.does = ADDS | NEEDS_SPACE;
    } else {
        return pass(&op);
    }
    return on_path(&op, from, path, exists);
}

static long renaming(int from, const char *old, int to, const char *new, unsigned flags) {
    struct place a = {.dir = -1}, b = {.dir = -1};
    struct op op = {.name = "rename", .does = MOVES, .nr = SYS_renameat2, .a = &a, .b = &b, .offset = -1,
                    .length = -1, .arg = {from, (long)old, to, (long)new, flags}};
    int before = errno;
    bool runs = watching() && locate(from, old, false, &a) && locate(to, new, false, &b) && a.exists &&
                (a.counted || b.counted);
    /* Between two names of the same file a rename does nothing. */
    runs = runs && !(b.exists && a.st.st_ino == b.st.st_ino && a.st.st_dev == b.st.st_dev);
    errno = before;
    long result = runs ? run(&op) : pass(&op);
    before = errno;
    if (a.dir >= 0) syscall(SYS_close, a.dir);
    if (b.dir >= 0) syscall(SYS_close, b.dir);
    errno = before;
    return result;
}

/* ---- The functions that are replaced ---- */

#define EXPORT __attribute__((visibility("default")))
#ifdef __clang__
#define ALIAS(of) EXPORT __attribute__((alias(#of)))
#else
#define ALIAS(of) EXPORT __attribute__((alias(#of), copy(of)))
#endif
#define ARGS(...) {__VA_ARGS__}
#define FD(fd, what, bits, off, len, len_arg, number, ...)                                                  \
    on_fd(&(struct op){.name = what, .does = bits, .nr = number, .arg = ARGS(__VA_ARGS__), .offset = off,     \
                       .length = len, .length_arg = len_arg}, fd)
#define PATH(from, path, existing, what, bits, number, ...)                                                 \
    on_path(&(struct op){.name = what, .does = bits, .nr = number, .arg = ARGS(__VA_ARGS__), .offset = -1,    \
                         .length = -1}, from, path, existing)
enum { WRITING = WRITES | NEEDS_SPACE | DATA };

static long long total(const struct iovec *v, int n) {
    long long sum = 0;
    for (int i = 0; i < n && n <= IOV_MAX; i++) sum += (long long)v[i].iov_len;
    return sum;
}

static mode_t permissions(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

EXPORT int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t perm = permissions(flags, rest);
    va_end(rest);
    return (int)opening(AT_FDCWD, path, flags, perm);
}
EXPORT int openat(int from, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t perm = permissions(flags, rest);
    va_end(rest);
    return (int)opening(from, path, flags, perm);
}
EXPORT int creat(const char *path, mode_t perm) {
    return (int)opening(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, perm);
}
extern int open64(const char *, int, ...) ALIAS(open);
extern int openat64(int, const char *, int, ...) ALIAS(openat);
extern int creat64(const char *, mode_t) ALIAS(creat);

/* What open() becomes under _FORTIFY_SOURCE when its flags are not constant. */
EXPORT int __open_2(const char *path, int flags) { return (int)opening(AT_FDCWD, path, flags, 0); }
EXPORT int __openat_2(int from, const char *path, int flags) { return (int)opening(from, path, flags, 0); }
extern int __open64_2(const char *, int) ALIAS(__open_2);
extern int __openat64_2(int, const char *, int) ALIAS(__openat_2);

EXPORT ssize_t write(int fd, const void *p, size_t n) {
    return FD(fd, "write", WRITING, -1, (long long)n, 2, SYS_write, fd, (long)p, (long)n);
}
EXPORT ssize_t pwrite(int fd, const void *p, size_t n, off_t off) {
    return FD(fd, "pwrite", WRITING, off, (long long)n, 2, SYS_pwrite64, fd, (long)p, (long)n, off);
}
EXPORT ssize_t writev(int fd, const struct iovec *v, int n) {
    return FD(fd, "writev", WRITING, -1, total(v, n), 0, SYS_writev, fd, (long)v, n);
}
EXPORT ssize_t pwritev(int fd, const struct iovec *v, int n, off_t off) {
    return FD(fd, "pwritev", WRITING, off, total(v, n), 0, SYS_pwritev, fd, (long)v, n, off, 0);
}
EXPORT ssize_t copy_file_range(int in, off64_t *in_off, int fd, off64_t *off, size_t n, unsigned flags) {
    return FD(fd, "copy_file_range", WRITING, off ? *off : -1, (long long)n, 4, SYS_copy_file_range, in,
              (long)in_off, fd, (long)off, (long)n, flags);
}
EXPORT ssize_t sendfile(int fd, int in, off_t *in_off, size_t n) {
    return FD(fd, "sendfile", WRITING, -1, (long long)n, 3, SYS_sendfile, fd, in, (long)in_off, (long)n);
}
extern ssize_t pwrite64(int, const void *, size_t, off64_t) ALIAS(pwrite);
extern ssize_t pwritev64(int, const struct iovec *, int, off64_t) ALIAS(pwritev);
extern ssize_t sendfile64(int, int, off64_t *, size_t) ALIAS(sendfile);

/* The new size goes where others have an offset: a length of 0 would mean that there is nothing to do. */
EXPORT int ftruncate(int fd, off_t size) {
    return (int)FD(fd, "ftruncate", DATA, size, -1, 0, SYS_ftruncate, fd, size);
}
EXPORT int truncate(const char *path, off_t size) {
    return (int)PATH(AT_FDCWD, path, true, "truncate", DATA, SYS_truncate, (long)path, size);
}
EXPORT int fallocate(int fd, int how, off_t off, off_t n) {
    return (int)FD(fd, "fallocate", NEEDS_SPACE | DATA, off, n, 0, SYS_fallocate, fd, how, off, n);
}
EXPORT int posix_fallocate(int fd, off_t off, off_t n) {
    int before = errno, error = fallocate(fd, 0, off, n) ? errno : 0;
    errno = before;
    return error;
}
extern int ftruncate64(int, off64_t) ALIAS(ftruncate);
extern int truncate64(const char *, off64_t) ALIAS(truncate);
extern int fallocate64(int, int, off64_t, off64_t) ALIAS(fallocate);
extern int posix_fallocate64(int, off64_t, off64_t) ALIAS(posix_fallocate);

EXPORT int fsync(int fd) { return (int)FD(fd, "fsync", SYNCS, -1, -1, 0, SYS_fsync, fd); }
EXPORT int fdatasync(int fd) { return (int)FD(fd, "fdatasync", SYNCS, -1, -1, 0, SYS_fdatasync, fd); }
EXPORT int syncfs(int fd) { return (int)FD(fd, "syncfs", SYNCS | SYNCS_ALL, -1, -1, 0, SYS_syncfs, fd); }
EXPORT int sync_file_range(int fd, off64_t off, off64_t n, unsigned flags) {
    return (int)FD(fd, "sync_file_range", 0, off, n ? n : -1, 0, SYS_sync_file_range, fd, off, n, flags);
}

EXPORT int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return (int)renaming(from, old, to, new, flags);
}
EXPORT int renameat(int from, const char *old, int to, const char *new) {
    return (int)renaming(from, old, to, new, 0);
}
EXPORT int rename(const char *old, const char *new) {
    return (int)renaming(AT_FDCWD, old, AT_FDCWD, new, 0);
}

EXPORT int unlinkat(int from, const char *path, int flags) {
    const char *name = flags & AT_REMOVEDIR ? "rmdir" : "unlink";
    return (int)PATH(from, path, true, name, REMOVES, SYS_unlinkat, from, (long)path, flags);
}
EXPORT int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
EXPORT int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
EXPORT int remove(const char *path) {
    struct stat st;
    return !lstat(path, &st) && S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path);
}
EXPORT int mkdirat(int from, const char *path, mode_t perm) {
    return (int)PATH(from, path, false, "mkdir", ADDS | NEEDS_SPACE, SYS_mkdirat, from, (long)path, perm);
}
EXPORT int mkdir(const char *path, mode_t perm) { return mkdirat(AT_FDCWD, path, perm); }
EXPORT int linkat(int from, const char *old, int to, const char *new, int flags) {
    return (int)PATH(to, new, false, "link", ADDS | NEEDS_SPACE, SYS_linkat, from, (long)old, to, (long)new,
                     flags);
}
EXPORT int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
EXPORT int symlinkat(const char *text, int to, const char *new) {
    return (int)PATH(to, new, false, "symlink", ADDS | NEEDS_SPACE, SYS_symlinkat, (long)text, to, (long)new);
}
EXPORT int symlink(const char *text, const char *new) { return symlinkat(text, AT_FDCWD, new); }

/* ---- Start and end ---- */

__attribute__((destructor)) static void finish(void) {
    if (!report || getpid() != owner) return;
    char line[32];
    int n = snprintf(line, sizeof line, "%ld\n", count);
    to_report(mode == TRACE ? O_APPEND : O_TRUNC, line, n);
    report = NULL;
}

EXPORT void _exit(int status) {
    finish();
    for (;;) syscall(SYS_exit_group, status);
}
EXPORT void _Exit(int status) { _exit(status); }

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && !strcmp(value, "1");
}

/* The index of the variable's value among the words, which end with NULL; 0 if it is not set. */
static int choice(const char *name, const char *const *words) {
    const char *value = getenv(name);
    if (!value || !*value) return 0;
    for (int i = 0; words[i]; i++)
        if (!strcmp(value, words[i])) return i;
    errno = EINVAL;
    give_up(name);
    return 0;
}
#define CHOICE(name, ...) choice(name, (const char *const[]){__VA_ARGS__, NULL})

static void add_root(int i, const char *path) {
    struct place p;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC);
    if (fd >= 0) {
        path_of(fd, roots[i]);
        syscall(SYS_close, fd);
    } else if (locate(AT_FDCWD, path, false, &p) && strlen(p.path) < PATH_MAX) { /* yet to be made */
        strcpy(roots[i], p.path);
        syscall(SYS_close, p.dir);
    } else {
        give_up("FAULTLINE_ROOT");
    }
}

__attribute__((constructor)) static void start(void) {
    int chosen = CHOICE("FAULTLINE_MODE", "off", "count", "trace", "kill", "fail", "short", "powerloss");
    if (chosen == OFF) return;
    const int errors[] = {EIO, ENOSPC, EDQUOT, EINTR, EACCES};
    failure = errors[CHOICE("FAULTLINE_ERRNO", "EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES")];
    int lose = CHOICE("FAULTLINE_LOSE", "all", "data", "entries");
    lose_data = lose != 2;
    lose_entries = lose != 1;
    after = is_set("FAULTLINE_AFTER");
    torn = is_set("FAULTLINE_TORN");
    sticky = is_set("FAULTLINE_STICKY");
    at = getenv("FAULTLINE_AT") ? atol(getenv("FAULTLINE_AT")) : 0;
    if (chosen > TRACE && at < 1) give_up("FAULTLINE_AT");
    report = getenv("FAULTLINE_REPORT") ? strdup(getenv("FAULTLINE_REPORT")) : NULL;
    char *list = strdup(getenv("FAULTLINE_ROOT") ? getenv("FAULTLINE_ROOT") : ""), *rest = list;
    int n = 0;
    for (char *path; n < 16 && (path = strsep(&rest, ":"));)
        if (*path) add_root(n++, path);
    free(list);
    if (n == 0) give_up("FAULTLINE_ROOT");
    if (chosen == POWERLOSS) {
        const char *save = getenv("FAULTLINE_SAVE");
        save_dir = (int)syscall(SYS_openat, AT_FDCWD, save ? save : "", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (save_dir < 0) give_up("FAULTLINE_SAVE");
        struct rlimit files; /* one descriptor per file written to */
        if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
            files.rlim_cur = files.rlim_max;
            setrlimit(RLIMIT_NOFILE, &files);
        }
    }
    unsetenv("FAULTLINE_MODE");
    owner = getpid();
    mode = chosen;
}
