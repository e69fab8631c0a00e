// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE 1  // pipe2

#include "CFuse.h"
#include "CPlatform.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Declared here and not by the header, so that nobody needs it to build. These layouts are the interface that both numbers of
// the library have had since version 3.0: functions were only added behind those of `operations`, and fields behind those of
// `buffer`, which is larger here than any of them.
typedef struct fuse_session Session;
typedef struct fuse_request *Request;

struct arguments {
    int count;
    char **words;
    int is_allocated;
};

struct open_file {
    int32_t flags;
    unsigned written_page : 1;
    unsigned is_direct : 1;
    unsigned keeps_cache : 1;
    unsigned flush : 1;
    unsigned is_not_seekable : 1;
    unsigned releases_lock : 1;
    unsigned caches_folder : 1;
    unsigned others : 25;
    uint32_t padding[2];
    uint64_t handle;
};

struct entry {
    uint64_t inode;
    uint64_t generation;
    struct stat attributes;
    double attribute_seconds;
    double name_seconds;
};

struct buffer {
    size_t size;
    int flags;
    void *memory;
    int descriptor;
    off_t position;
    uint64_t later[8];
};

// Only a library that has this function asks for it.
struct version {
    uint32_t major;
    uint32_t minor;
    uint32_t hotfix;
    uint32_t others;
};

typedef void (*unused)(void);

struct operations {
    unused init, destroy;
    void (*lookup)(Request, uint64_t, const char *);
    void (*forget)(Request, uint64_t, uint64_t);
    void (*get_attributes)(Request, uint64_t, struct open_file *);
    unused set_attributes;
    void (*read_link)(Request, uint64_t);
    unused make_node, make_folder, unlink, remove_folder, symlink, rename, link;
    void (*open)(Request, uint64_t, struct open_file *);
    void (*read)(Request, uint64_t, size_t, off_t, struct open_file *);
    unused write, flush;
    void (*release)(Request, uint64_t, struct open_file *);
    unused synchronize;
    void (*open_folder)(Request, uint64_t, struct open_file *);
    void (*read_folder)(Request, uint64_t, size_t, off_t, struct open_file *);
    void (*release_folder)(Request, uint64_t, struct open_file *);
};

#define FUNCTIONS(F) \
    F(const char *, fuse_pkgversion, (void)) \
    F(void, fuse_set_log_func, (void (*)(int, const char *, va_list))) \
    F(void, fuse_opt_free_args, (struct arguments *)) \
    F(int, fuse_session_mount, (Session *, const char *)) \
    F(void, fuse_session_unmount, (Session *)) \
    F(void, fuse_session_destroy, (Session *)) \
    F(int, fuse_session_fd, (Session *)) \
    F(int, fuse_session_exited, (Session *)) \
    F(int, fuse_session_receive_buf, (Session *, struct buffer *)) \
    F(void, fuse_session_process_buf, (Session *, const struct buffer *)) \
    F(void *, fuse_req_userdata, (Request)) \
    F(int, fuse_req_interrupted, (Request)) \
    F(int, fuse_reply_err, (Request, int)) \
    F(void, fuse_reply_none, (Request)) \
    F(int, fuse_reply_entry, (Request, const struct entry *)) \
    F(int, fuse_reply_attr, (Request, const struct stat *, double)) \
    F(int, fuse_reply_readlink, (Request, const char *)) \
    F(int, fuse_reply_open, (Request, const struct open_file *)) \
    F(int, fuse_reply_buf, (Request, const char *, size_t)) \
    F(size_t, fuse_add_direntry, (Request, char *, size_t, const char *, const struct stat *, off_t)) \
    F(int, fuse_lowlevel_notify_inval_entry, (Session *, uint64_t, const char *, size_t))

#define POINTER(result, name, parameters) result (*name) parameters;
struct functions {
    FUNCTIONS(POINTER)
    // One of the two makes a session.
    Session *(*fuse_session_new)(struct arguments *, const struct operations *, size_t, void *);
    Session *(*fuse_session_new_versioned)(
        struct arguments *, const struct operations *, size_t, struct version *, void *);
};

static bool resolve(void *library, struct functions *found, char *reason) {
    char newer[valise_reason_size];
    found->fuse_session_new = NULL;
    if (!valise_library_find(library, "fuse_session_new_versioned", &found->fuse_session_new_versioned, newer)) {
        found->fuse_session_new_versioned = NULL;
        if (!valise_library_find(library, "fuse_session_new", &found->fuse_session_new, reason)) return false;
    }
#define FIND(result, name, parameters) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

// The second number came with 3.17.
static const char *const names[] = {"libfuse3.so.4", "libfuse3.so.3"};

static struct functions fuse;
static bool is_loaded;
static char why_not[valise_reason_size];

// What the library says last on a thread: it writes to standard error otherwise.
static _Thread_local char said[valise_fuse_reason_size];

static void __attribute__((format(printf, 2, 0))) keep(int level, const char *format, va_list values) {
    (void)level;
    (void)vsnprintf(said, sizeof said, format, values);
    said[strcspn(said, "\n")] = 0;
}

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    if (library == NULL || !resolve(library, &fuse, why_not)) return;
    fuse.fuse_set_log_func(keep);
    is_loaded = true;
}

const char *valise_fuse_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_fuse_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

const char *valise_fuse_version(void) { return fuse.fuse_pkgversion(); }

struct valise_fuse_session {
    Session *fuse;
    struct valise_fuse_tree tree;
    double seconds;
    // One thread at a time waits for a request; the others wait for its place.
    pthread_mutex_t turn;
    bool has_ended;
    // One thread at a time asks the kernel to let go of names. It may have to wait there until another request is answered.
    atomic_bool is_tidying;
    atomic_bool is_stopping;
    // Is written to at the end.
    int stop[2];
};

static _Thread_local Request current;

bool valise_fuse_is_interrupted(void) { return current != NULL && fuse.fuse_req_interrupted(current) != 0; }

// MARK: Requests

static struct valise_fuse_session *session_of(Request request) { return fuse.fuse_req_userdata(request); }

static struct stat status_of(const struct valise_fuse_attributes *found) {
    struct stat status;
    memset(&status, 0, sizeof status);
    status.st_ino = found->inode;
    status.st_mode = found->mode;
    status.st_nlink = 1;
    status.st_uid = geteuid();
    status.st_gid = getegid();
    status.st_size = found->size;
    status.st_blksize = 128 << 10;
    status.st_blocks = found->size / 512 + (found->size % 512 != 0);
#ifndef __APPLE__
    status.st_mtim.tv_sec = found->seconds;
    status.st_mtim.tv_nsec = found->nanoseconds;
    status.st_atim = status.st_ctim = status.st_mtim;
#endif
    return status;
}

static void on_lookup(Request request, uint64_t folder, const char *name) {
    struct valise_fuse_session *session = session_of(request);
    struct valise_fuse_attributes found = {0};
    current = request;
    int error = session->tree.lookup(session->tree.context, folder, name, &found);
    current = NULL;
    struct entry entry;
    memset(&entry, 0, sizeof entry);
    entry.name_seconds = session->seconds;
    // That nothing has the name is remembered, too.
    if (error == ENOENT) {
        (void)fuse.fuse_reply_entry(request, &entry);
        return;
    }
    if (error != 0) {
        (void)fuse.fuse_reply_err(request, error);
        return;
    }
    entry.inode = found.inode;
    entry.attributes = status_of(&found);
    entry.attribute_seconds = session->seconds;
    // Who does not wait for the answer any more does not know the inode.
    if (fuse.fuse_reply_entry(request, &entry) != 0) session->tree.forget(session->tree.context, found.inode, 1);
}

static void on_forget(Request request, uint64_t inode, uint64_t count) {
    struct valise_fuse_session *session = session_of(request);
    session->tree.forget(session->tree.context, inode, count);
    fuse.fuse_reply_none(request);
}

static void on_attributes(Request request, uint64_t inode, struct open_file *file) {
    (void)file;
    struct valise_fuse_session *session = session_of(request);
    struct valise_fuse_attributes found = {0};
    int error = session->tree.attributes(session->tree.context, inode, &found);
    if (error != 0) {
        (void)fuse.fuse_reply_err(request, error);
        return;
    }
    struct stat status = status_of(&found);
    (void)fuse.fuse_reply_attr(request, &status, session->seconds);
}

static void on_read_link(Request request, uint64_t inode) {
    struct valise_fuse_session *session = session_of(request);
    char target[valise_fuse_longest_target + 1];
    int64_t count = session->tree.target(session->tree.context, inode, target, sizeof target - 1);
    if (count < 0) {
        (void)fuse.fuse_reply_err(request, (int)-count);
        return;
    }
    target[count] = 0;
    (void)fuse.fuse_reply_readlink(request, target);
}

typedef int (*opening)(void *context, uint64_t inode, uint64_t *handle);
typedef void (*closing)(void *context, uint64_t handle);

static void open_with(Request request, uint64_t inode, struct open_file *file, opening open, closing close) {
    struct valise_fuse_session *session = session_of(request);
    // What does not change is read once. For folders this means nothing.
    file->keeps_cache = session->seconds > 60;
    current = request;
    int error = open(session->tree.context, inode, &file->handle);
    current = NULL;
    if (error != 0) {
        (void)fuse.fuse_reply_err(request, error);
        return;
    }
    if (fuse.fuse_reply_open(request, file) != 0) close(session->tree.context, file->handle);
}

static void on_open(Request request, uint64_t inode, struct open_file *file) {
    struct valise_fuse_session *session = session_of(request);
    if ((file->flags & O_ACCMODE) != O_RDONLY) {
        (void)fuse.fuse_reply_err(request, EROFS);
        return;
    }
    open_with(request, inode, file, session->tree.open, session->tree.close);
}

static void on_release(Request request, uint64_t inode, struct open_file *file) {
    (void)inode;
    struct valise_fuse_session *session = session_of(request);
    session->tree.close(session->tree.context, file->handle);
    (void)fuse.fuse_reply_err(request, 0);
}

static const size_t most_at_once = 1 << 20;

// Through a pointer that may change, so that it is not left out.
static void *(*const volatile wipe)(void *, int, size_t) = memset;

static void on_read(Request request, uint64_t inode, size_t size, off_t offset, struct open_file *file) {
    (void)inode;
    struct valise_fuse_session *session = session_of(request);
    size_t capacity = size < most_at_once ? size : most_at_once;
    char *bytes = malloc(capacity + 1);
    if (bytes == NULL) {
        (void)fuse.fuse_reply_err(request, ENOMEM);
        return;
    }
    current = request;
    int64_t count = session->tree.read(session->tree.context, file->handle, bytes, capacity, offset);
    current = NULL;
    if (count < 0) {
        (void)fuse.fuse_reply_err(request, (int)-count);
    } else {
        (void)fuse.fuse_reply_buf(request, bytes, (size_t)count);
        (void)wipe(bytes, 0, (size_t)count);
    }
    free(bytes);
}

// MARK: Folders

struct valise_fuse_listing {
    Request request;
    char *bytes;
    size_t capacity;
    size_t count;
};

bool valise_fuse_add(
    struct valise_fuse_listing *listing, const char *name, uint64_t inode, uint32_t mode, uint64_t next
) {
    struct stat status;
    memset(&status, 0, sizeof status);
    status.st_ino = inode;
    status.st_mode = mode;
    size_t rest = listing->capacity - listing->count;
    size_t size = fuse.fuse_add_direntry(
        listing->request, listing->bytes + listing->count, rest, name, &status, (off_t)next);
    if (size > rest) return false;
    listing->count += size;
    return true;
}

static void on_open_folder(Request request, uint64_t inode, struct open_file *file) {
    struct valise_fuse_session *session = session_of(request);
    open_with(request, inode, file, session->tree.open_folder, session->tree.close_folder);
}

static void on_read_folder(Request request, uint64_t inode, size_t size, off_t offset, struct open_file *file) {
    struct valise_fuse_session *session = session_of(request);
    size_t capacity = size < most_at_once ? size : most_at_once;
    struct valise_fuse_listing listing = {request, malloc(capacity + 1), capacity, 0};
    if (listing.bytes == NULL) {
        (void)fuse.fuse_reply_err(request, ENOMEM);
        return;
    }
    current = request;
    int error = session->tree.list(session->tree.context, file->handle, inode, (uint64_t)offset, &listing);
    current = NULL;
    if (error != 0) {
        (void)fuse.fuse_reply_err(request, error);
    } else {
        (void)fuse.fuse_reply_buf(request, listing.bytes, listing.count);
    }
    free(listing.bytes);
}

static void on_release_folder(Request request, uint64_t inode, struct open_file *file) {
    (void)inode;
    struct valise_fuse_session *session = session_of(request);
    session->tree.close_folder(session->tree.context, file->handle);
    (void)fuse.fuse_reply_err(request, 0);
}

static const struct operations operations = {
    .lookup = on_lookup,
    .forget = on_forget,
    .get_attributes = on_attributes,
    .read_link = on_read_link,
    .open = on_open,
    .read = on_read,
    .release = on_release,
    .open_folder = on_open_folder,
    .read_folder = on_read_folder,
    .release_folder = on_release_folder,
};

// MARK: Sessions

static Session *make_session(const char *options, struct valise_fuse_session *session) {
    char program[] = "valise", option[] = "-o";
    char *given = strdup(options);
    if (given == NULL) return NULL;
    char *words[] = {program, option, given, NULL};
    struct arguments arguments = {3, words, 0};
    Session *made;
    if (fuse.fuse_session_new_versioned != NULL) {
        struct version version = {3, 14, 0, 0};
        made = fuse.fuse_session_new_versioned(&arguments, &operations, sizeof operations, &version, session);
    } else {
        made = fuse.fuse_session_new(&arguments, &operations, sizeof operations, session);
    }
    fuse.fuse_opt_free_args(&arguments);
    free(given);
    return made;
}

static void discard(struct valise_fuse_session *session) {
    if (session->fuse != NULL) fuse.fuse_session_destroy(session->fuse);
    (void)close(session->stop[0]);
    (void)close(session->stop[1]);
    (void)pthread_mutex_destroy(&session->turn);
    free(session);
}

static bool does_not_block(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

struct valise_fuse_session *valise_fuse_mount(
    const char *folder, const char *options, double seconds, const struct valise_fuse_tree *tree, char *reason
) {
    said[0] = reason[0] = 0;
    struct valise_fuse_session *session = calloc(1, sizeof *session);
    if (session == NULL) return NULL;
    if (valise_pipe(session->stop) != 0) {
        free(session);
        return NULL;
    }
    session->tree = *tree;
    session->seconds = seconds;
    (void)pthread_mutex_init(&session->turn, NULL);
    session->fuse = make_session(options, session);
    if (session->fuse == NULL || fuse.fuse_session_mount(session->fuse, folder) != 0) {
        (void)snprintf(reason, valise_fuse_reason_size, "%s", said);
        discard(session);
        return NULL;
    }
    // A request that is withdrawn between the look and the reading would let it wait.
    if (!does_not_block(fuse.fuse_session_fd(session->fuse))) {
        valise_fuse_unmount(session);
        return NULL;
    }
    return session;
}

// In milliseconds.
static const int tidying_look = 20;

// Waits for a request. False at the end.
static bool receive(struct valise_fuse_session *session, struct buffer *buffer) {
    while (!session->has_ended && !fuse.fuse_session_exited(session->fuse)) {
        struct pollfd events[] = {
            {.fd = fuse.fuse_session_fd(session->fuse), .events = POLLIN}, {.fd = session->stop[0], .events = POLLIN},
        };
        // While a thread waits in the kernel, requests are answered to the end.
        bool may_stop = !session->is_tidying;
        if (poll(events, may_stop ? 2 : 1, may_stop ? -1 : tidying_look) < 0) {
            if (errno == EINTR) continue;
            break;
        }
        if (may_stop && events[1].revents != 0) {
            if (session->is_tidying) continue;
            break;
        }
        if (events[0].revents == 0) continue;
        int size = fuse.fuse_session_receive_buf(session->fuse, buffer);
        if (size > 0) return true;
        if (size != -EINTR && size != -EAGAIN) break;
    }
    session->has_ended = true;
    return false;
}

enum { requests_between = 256, most_names = 256 };

// The tree remembers what the kernel knows, and the kernel lets go of little by itself.
static void tidy(struct valise_fuse_session *session) {
    if (session->is_stopping || atomic_exchange(&session->is_tidying, true)) return;
    for (int i = 0; i < most_names && !session->is_stopping; i++) {
        char name[valise_fuse_longest_name];
        uint64_t folder;
        int64_t length = session->tree.surplus(session->tree.context, &folder, name);
        if (length < 0) break;
        (void)fuse.fuse_lowlevel_notify_inval_entry(session->fuse, folder, name, (size_t)length);
    }
    session->is_tidying = false;
}

void valise_fuse_serve(struct valise_fuse_session *session) {
    struct buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    for (unsigned count = 1;; count++) {
        (void)pthread_mutex_lock(&session->turn);
        bool has_request = receive(session, &buffer);
        (void)pthread_mutex_unlock(&session->turn);
        if (!has_request) break;
        fuse.fuse_session_process_buf(session->fuse, &buffer);
        if (count % requests_between == 0) tidy(session);
    }
    free(buffer.memory);
}

void valise_fuse_stop(struct valise_fuse_session *session) {
    session->is_stopping = true;
    // It stays in the pipe, for all threads.
    (void)valise_write(session->stop[1], "", 1);
}

void valise_fuse_unmount(struct valise_fuse_session *session) {
    fuse.fuse_session_unmount(session->fuse);
    discard(session);
}
