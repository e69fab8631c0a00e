// SPDX-License-Identifier: Apache-2.0

#include "CBlake3.h"
#include "CPlatform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The state has had 1912 bytes since the library was first released. It is declared here and not by the header, so that who
// builds needs no library; the rest of the block shows whether a later one writes more.
enum { known_size = 1912, block_size = 2048, unwritten = 0xa5 };

struct valise_blake3 {
    _Alignas(64) unsigned char state[block_size];
};

#define FUNCTIONS(F) \
    F(const char *, blake3_version, (void)) \
    F(void, blake3_hasher_init, (void *)) \
    F(void, blake3_hasher_update, (void *, const void *, size_t)) \
    F(void, blake3_hasher_finalize, (const void *, uint8_t *, size_t))

#define POINTER(result, name, parameters) result (*name) parameters;
struct functions {
    FUNCTIONS(POINTER)
};

// All at once, so that a missing function is found here and not in the middle of a file.
static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(result, name, parameters) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

// The published digest of no bytes.
static const uint8_t empty[valise_blake3_digest_size] = {
    0xaf, 0x13, 0x49, 0xb9, 0xf5, 0xf9, 0xa1, 0xa6, 0xa0, 0x40, 0x4d, 0xea, 0x36, 0xdc, 0xc9, 0x49,
    0x9b, 0xcb, 0x25, 0xc9, 0xad, 0xc1, 0x12, 0xb7, 0xcc, 0x9a, 0x93, 0xca, 0xe4, 0x1f, 0x32, 0x62,
};

// What is written by a wrong digest cannot be found again, so one is asked for first.
static bool is_right(const struct functions *found, char *reason) {
    struct valise_blake3 hash;
    uint8_t digest[valise_blake3_digest_size];
    memset(&hash, unwritten, sizeof hash);
    found->blake3_hasher_init(hash.state);
    found->blake3_hasher_update(hash.state, empty, 0);
    found->blake3_hasher_finalize(hash.state, digest, sizeof digest);
    bool is_known = memcmp(digest, empty, sizeof digest) == 0;
    for (size_t i = known_size; i < block_size; i++) is_known = is_known && hash.state[i] == unwritten;
    if (!is_known) (void)snprintf(reason, valise_reason_size, "version %s works in another way", found->blake3_version());
    return is_known;
}

static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/blake3/lib/libblake3.0.dylib",
    "/usr/local/opt/blake3/lib/libblake3.0.dylib",
#else
    "libblake3.so.0",
#endif
};

static struct functions blake3;
static bool is_loaded;
static char why_not[valise_reason_size];

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    is_loaded = library != NULL && resolve(library, &blake3, why_not) && is_right(&blake3, why_not);
}

const char *valise_blake3_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_blake3_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_usable = resolve(library, &found, reason) && is_right(&found, reason);
    (void)dlclose(library);
    return is_usable ? NULL : reason;
}

const char *valise_blake3_version(void) { return blake3.blake3_version(); }

struct valise_blake3 *valise_blake3_new(void) {
    struct valise_blake3 *hash = aligned_alloc(_Alignof(struct valise_blake3), sizeof *hash);
    if (hash != NULL) valise_blake3_reset(hash);
    return hash;
}

void valise_blake3_free(struct valise_blake3 *hash) { free(hash); }

void valise_blake3_reset(struct valise_blake3 *hash) { blake3.blake3_hasher_init(hash->state); }

void valise_blake3_update(struct valise_blake3 *hash, const void *bytes, size_t count) {
    blake3.blake3_hasher_update(hash->state, bytes, count);
}

void valise_blake3_digest(const struct valise_blake3 *hash, uint8_t *digest) {
    blake3.blake3_hasher_finalize(hash->state, digest, valise_blake3_digest_size);
}
