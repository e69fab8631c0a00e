// libfuse's low-level interface, which is loaded when the first tree is mounted: nobody else needs it (decision 0068). A tree
// is read only, and what it does is done before its function returns: the request is answered here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread. NULL when all its functions are there; else why not, in the words of
// the system's loader. They last as long as the program.
const char *valise_fuse_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_fuse_try(const char *name);

// What follows is called only once the library is loaded.

// Such as 3.14.0.
const char *valise_fuse_version(void);

enum { valise_fuse_root = 1, valise_fuse_longest_name = 255, valise_fuse_longest_target = 4095 };

// What is told of a file, a folder or a link.
struct valise_fuse_attributes {
    uint64_t inode;
    // Kind and permissions, as in `st_mode`.
    uint32_t mode;
    // In bytes.
    int64_t size;
    // Of the content's last change, since 1970.
    int64_t seconds;
    int64_t nanoseconds;
};

struct valise_fuse_listing;

// The tree. Functions are called on the threads that serve, several at once, and return 0 or a number of <errno.h>; `read` and
// `target` return how many bytes there are, or the number with a minus.
struct valise_fuse_tree {
    void *context;
    // ENOENT where nothing has the name. Otherwise the kernel knows the inode once more than before.
    int (*lookup)(void *context, uint64_t folder, const char *name, struct valise_fuse_attributes *found);
    // The kernel knows an inode so many times less.
    void (*forget)(void *context, uint64_t inode, uint64_t count);
    int (*attributes)(void *context, uint64_t inode, struct valise_fuse_attributes *found);
    // Without a zero behind it.
    int64_t (*target)(void *context, uint64_t inode, char *target, size_t capacity);
    int (*open)(void *context, uint64_t inode, uint64_t *handle);
    int64_t (*read)(void *context, uint64_t handle, void *bytes, size_t capacity, int64_t offset);
    void (*close)(void *context, uint64_t handle);
    int (*open_folder)(void *context, uint64_t inode, uint64_t *handle);
    // Adds entries from the one of a number on, until `valise_fuse_add` says that no more fit.
    int (*list)(void *context, uint64_t handle, uint64_t inode, uint64_t number, struct valise_fuse_listing *listing);
    void (*close_folder)(void *context, uint64_t handle);
    // A name that the kernel shall let go of, without a zero behind it: how long it is, or -1 where it need not let go of any.
    // `name` has space for `valise_fuse_longest_name` bytes.
    int64_t (*surplus)(void *context, uint64_t *folder, char *name);
};

// Whether the program that waits for the request of this thread was stopped meanwhile.
bool valise_fuse_is_interrupted(void);

// Adds an entry to an answer; `next` is the number of the one behind it. False where it does not fit.
bool valise_fuse_add(
    struct valise_fuse_listing *listing, const char *name, uint64_t inode, uint32_t mode, uint64_t next);

enum { valise_fuse_reason_size = 512 };

struct valise_fuse_session;

// Mounts a tree. NULL, with a reason that may be empty, where that fails.
//
// `options` is what follows `-o` of a mount. The kernel asks again for names and attributes after `seconds`.
struct valise_fuse_session *valise_fuse_mount(
    const char *folder, const char *options, double seconds, const struct valise_fuse_tree *tree, char *reason);

// Answers requests on this thread, beside at least one other, until the tree is unmounted or somebody calls valise_fuse_stop.
void valise_fuse_serve(struct valise_fuse_session *session);

// Has all threads return that serve, once they have answered.
void valise_fuse_stop(struct valise_fuse_session *session);

// Unmounts the tree, whoever uses it, and frees the session. No thread may serve any more.
void valise_fuse_unmount(struct valise_fuse_session *session);
