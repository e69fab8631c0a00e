// The only C that Valise writes: calls that Swift cannot make because they are variadic, hidden behind
// feature macros, or differ between systems. No logic lives here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Who holds a byte range that a lock was asked for.
struct valise_lock_owner {
    bool held;
    pid_t pid;  // 0 where the system does not tell
};

// Takes (exclusive or shared) a lock that belongs to the open file description, so that closing another
// descriptor of the same file does not drop it. 0, or -1 with errno (EAGAIN, EACCES: somebody holds it).
int valise_lock_range(int descriptor, bool exclusive, int64_t start, int64_t length);
// Gives all locks of the open file description back.
void valise_unlock(int descriptor);
int valise_lock_holder(int descriptor, int64_t start, int64_t length, struct valise_lock_owner *holder);

// rename(2) that fails with EEXIST instead of replacing.
int valise_rename_exclusive(const char *from, const char *to);

// Makes a file without a name in a folder, for this user alone, open for reading and writing. -1 with errno where the
// system or the file system cannot.
int valise_open_unnamed(const char *folder);

// Which mount a path lies on, a link itself and not what it leads to; -1 where the system does not tell.
int64_t valise_mount_id(const char *path);

// Whether this process, as the user that it acts for, may make and remove names in a folder. 0, or -1 with
// errno.
int valise_may_change(const char *folder);

// Makes `to` share the blocks of `from` where the file system can (reflink). 0, or -1 with errno.
int valise_clone(int from, int to);

// Copies inside the kernel; the bytes copied, 0 at the end, or -1 with errno.
ssize_t valise_copy_range(int from, int to, size_t length);

// Has large blocks of memory given back to the system as soon as they are freed. glibc keeps blocks of the size of the largest
// one that was ever freed, in a heap for each thread, none of which gives to the others. For programs, not for libraries.
void valise_return_memory(void);

// Starts writing back a range, without waiting. A hint: errors appear at fsync.
void valise_start_writeback(int descriptor, int64_t start, int64_t length);

// A second descriptor of the same open file that passes the system's cache (O_DIRECT), for reading and writing; or -1
// where there is none. Apple systems have no second one: there the descriptor itself keeps out of the cache.
int valise_open_uncached(int descriptor);

// Gives a file `size` bytes and blocks for them. 0, or -1 with errno: EOPNOTSUPP where the file system cannot.
int valise_reserve(int descriptor, int64_t size);

// Asks for pages of 2 MiB under memory that is aligned to as much: a disk takes and gives it in one piece then. A hint.
void valise_prefer_large_pages(void *memory, size_t size);

// Lets go of what the cache has of a file and what is not to be written any more. A hint.
void valise_drop_cache(int descriptor);

// Flushes a file or folder to the medium (F_FULLFSYNC on Apple systems, fsync elsewhere).
int valise_flush(int descriptor);

// Flushes the whole file system that the descriptor lies on.
int valise_flush_file_system(int descriptor);

// No core dumps and no ptrace of this process by others of the same user.
int valise_forbid_core_dumps(void);

// Whether this process leaves no core dump, whatever happens to it.
bool valise_core_dumps_are_off(void);

// How many bytes of memory this process may keep out of the swap; INT64_MAX for no limit, -1 with errno.
int64_t valise_locked_memory_limit(void);

// 1 where the system keeps its clock synchronized with a reference, 0 where it does not, -1 where it does not tell.
int valise_clock_is_synchronized(void);

// Terminal: whether echo could be switched off; the previous state is kept for valise_echo_on.
bool valise_echo_off(int descriptor);
void valise_echo_on(int descriptor);
int valise_terminal_width(int descriptor);
// And how many lines; 24 where that is not known.
int valise_terminal_height(int descriptor);

// From here on an interrupt (SIGINT, SIGTERM, SIGHUP) only sets a flag, so that work stops where it leaves
// nothing behind; a second one ends the process at once. SIGPIPE is ignored: a closed pipe is an error of
// the write.
void valise_catch_interrupts(void);
bool valise_interrupted(void);
// From here on SIGHUP is no interrupt, but a request that the second of these tells of, once. Called after the one above.
void valise_catch_hangups(void);
bool valise_take_hangup(void);
// Control-C is for another program of the terminal only, such as a pager, or as above again.
void valise_leave_interrupts(bool to_others);

// Lets this process have `wanted` descriptors at once, as far as the system allows; how many it may have now, or -1
// with errno.
int64_t valise_raise_descriptors(int64_t wanted);

// How many processors this process may run on.
int valise_core_count(void);

// The keyring that the kernel has for this user (Linux; elsewhere ENOSYS). A key is
// named by its description; -1 with errno on failure, ENOKEY where there is none.
int32_t valise_key_store(const char *description, const void *bytes, size_t count);
int32_t valise_key_find(const char *description);
// The bytes of a key, or the numbers of the keys in the keyring for key 0: how many bytes there are, which
// may be more than fitted.
ssize_t valise_key_read(int32_t key, void *bytes, size_t capacity);
// "type;uid;gid;permissions;description" with a zero at the end: its size.
ssize_t valise_key_describe(int32_t key, char *text, size_t capacity);
// Wipes the key's bytes and takes it out of the keyring.
int valise_key_forget(int32_t key);

// A pipe whose ends, for reading and for writing, no other program gets. 0, or -1 with errno.
int valise_pipe(int ends[2]);

// Whoever writes to a pipe or a connection without a reader gets SIGPIPE, which ends programs that do not ignore it. A library
// cannot tell what its program does: this thread gets none between these two calls, and the write fails with EPIPE.
struct valise_pipe_signal {
    sigset_t mask;
    bool was_pending;
};
void valise_hold_pipe_signal(struct valise_pipe_signal *held);
void valise_drop_pipe_signal(const struct valise_pipe_signal *held);
// write(2) between them.
ssize_t valise_write(int descriptor, const void *bytes, size_t count);

// For libraries that are loaded when they are first needed, and never unloaded. Reasons have at most this many bytes.
enum { valise_reason_size = 512 };

// The first library of these names that can be loaded; NULL, with the reason of the last one, where none can.
void *valise_library_open(const char *const *names, size_t count, char *reason);

// Looks up a function and puts its address into a pointer of its type. false, with a reason.
bool valise_library_find(void *library, const char *name, void *pointer, char *reason);
