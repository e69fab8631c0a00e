// libargon2, which is loaded when a passphrase of a store of tcfs is first used and not at the start of the program (decision
// 0067): libsodium has Argon2 for one lane only, and OpenSSL has it since 3.2.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread. NULL when all its functions are there; else why not, in the words of
// the system's loader. They last as long as the program.
const char *valise_argon2_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_argon2_try(const char *name);

// Argon2id, version 1.3, without a secret and associated data. Called only once the library is loaded. It takes memory of its
// own, which it wipes, and starts a thread for each lane.
// Returns NULL, or why there is no key, in the words of the library.
const char *valise_argon2id(
    uint32_t passes, uint32_t kibibytes, uint32_t lanes, const void *password, size_t password_size, const void *salt,
    size_t salt_size, void *key, size_t key_size);
