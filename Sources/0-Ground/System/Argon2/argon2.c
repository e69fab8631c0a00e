// SPDX-License-Identifier: Apache-2.0

#include "CArgon2.h"
#include "CPlatform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

// Declared here and not by the header, so that who builds needs no library: both have been the same since it got its number.
#define FUNCTIONS(F) \
    F(int, argon2id_hash_raw, \
      (uint32_t, uint32_t, uint32_t, const void *, size_t, const void *, size_t, void *, size_t)) \
    F(const char *, argon2_error_message, (int))

#define POINTER(result, name, parameters) result (*name) parameters;
struct functions {
    FUNCTIONS(POINTER)
};

static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(result, name, parameters) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/argon2/lib/libargon2.1.dylib",
    "/usr/local/opt/argon2/lib/libargon2.1.dylib",
#else
    "libargon2.so.1",
#endif
};

static struct functions argon2;
static bool is_loaded;
static char why_not[valise_reason_size];

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    is_loaded = library != NULL && resolve(library, &argon2, why_not);
}

const char *valise_argon2_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_argon2_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

const char *valise_argon2id(
    uint32_t passes, uint32_t kibibytes, uint32_t lanes, const void *password, size_t password_size, const void *salt,
    size_t salt_size, void *key, size_t key_size) {
    int result = argon2.argon2id_hash_raw(
        passes, kibibytes, lanes, password, password_size, salt, salt_size, key, key_size);
    return result == 0 ? NULL : argon2.argon2_error_message(result);
}
