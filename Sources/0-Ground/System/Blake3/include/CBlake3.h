// libblake3, which is loaded when a store of tcfs is first used and not at the start of the program: nobody else needs it, and
// few systems have it (decision 0067).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread, and tries it. NULL when all its functions are there and it hashes as
// published; else why not, in the words of the system's loader. They last as long as the program.
const char *valise_blake3_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_blake3_try(const char *name);

// What follows is called only once the library is loaded.

// Such as 1.8.2.
const char *valise_blake3_version(void);

enum { valise_blake3_digest_size = 32 };

// One running hash, of one thread at a time.
struct valise_blake3;

// A hash of nothing; NULL without memory.
struct valise_blake3 *valise_blake3_new(void);
void valise_blake3_free(struct valise_blake3 *hash);

void valise_blake3_reset(struct valise_blake3 *hash);
void valise_blake3_update(struct valise_blake3 *hash, const void *bytes, size_t count);
// More can be added afterwards.
void valise_blake3_digest(const struct valise_blake3 *hash, uint8_t *digest);
