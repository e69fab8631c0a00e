// The pages of an encrypted database through intel-ipsec-mb, which works on many of them at once. Written in
// C because the library's interface is macros over function pointers and unions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The library's state for one thread, with the keys of one database in it.
typedef struct valise_multi_buffer valise_multi_buffer;

// Both keys have 32 bytes. NULL where the library or the processor does not serve, or memory is short.
valise_multi_buffer *valise_multi_buffer_make(const uint8_t *encryption_key, const uint8_t *hmac_key);

// Wipes the keys.
void valise_multi_buffer_free(valise_multi_buffer *state);

// Whether this processor is served.
bool valise_multi_buffer_is_served(void);

// The library's version; NULL where it is not linked.
const char *valise_multi_buffer_version(void);

// One page: `body` bytes of content at `content`, then 16 bytes of IV, then 64 of HMAC-SHA512.
// The HMAC covers the content as encrypted, the IV and the number, four bytes little-endian.
struct valise_page {
    uint8_t *content;
    uint32_t body;
    uint32_t number;
    bool intact;  // set by opening: whether the HMAC holds
};

// Checks the HMAC of each page and, when `decrypts`, decrypts it in place whether it holds or not. The bytes
// of the HMAC are used as scratch space. False when the library failed.
bool valise_multi_buffer_open(valise_multi_buffer *state, struct valise_page *pages, size_t count, bool decrypts);

// Encrypts each page in place under the IV that lies behind its content, and writes its HMAC.
bool valise_multi_buffer_seal(valise_multi_buffer *state, struct valise_page *pages, size_t count);

// GHASH of bytes under a key of 16 random bytes, which nobody knows: bytes that differ have the same with a chance of
// one in 2^128 for each 16 of them. Any thread may use it.
typedef struct valise_fingerprint valise_fingerprint;

// NULL where the library does not serve, or memory is short.
valise_fingerprint *valise_fingerprint_make(const uint8_t *key);
void valise_fingerprint_free(valise_fingerprint *state);
void valise_fingerprint_take(const valise_fingerprint *state, const void *bytes, size_t count, uint8_t *result);
