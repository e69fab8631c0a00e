#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// What Swift cannot import, being a macro with arguments.
static inline uint64_t valise_ssl_options(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
           SSL_OP_CIPHER_SERVER_PREFERENCE;
}

#if defined(OPENSSL_NO_DEPRECATED_3_0) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#define VALISE_HAS_SHA512_BLOCKS 0
#else
#define VALISE_HAS_SHA512_BLOCKS 1
#endif

// PBKDF2 with HMAC-SHA-512 (RFC 8018) for keys of at most 64 bytes and salts of at most 64: half the time of
// PKCS5_PBKDF2_HMAC, which copies three contexts for each of its iterations (decision 0062).
// Returns false for other sizes, and where libcrypto has no single blocks; nothing was written then.
static inline bool valise_pbkdf2_sha512(
    const void *password, size_t length, const uint8_t *salt, size_t salt_size, uint32_t iterations, uint8_t *key,
    size_t key_size) {
#if VALISE_HAS_SHA512_BLOCKS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    enum { block_size = SHA512_CBLOCK, digest_size = SHA512_DIGEST_LENGTH, words = digest_size / 8 };
    struct {
        SHA512_CTX inner, outer, state;
        uint8_t pad[block_size], first[block_size], next[block_size];
        SHA_LONG64 sum[words];
    } work;
    if (key_size > digest_size || salt_size > 64 || iterations == 0) return false;
    memset(&work, 0, sizeof work);
    if (length > block_size) {
        SHA512((const uint8_t *)password, length, work.pad);
    } else if (length > 0) {
        memcpy(work.pad, password, length);
    }
    for (int i = 0; i < block_size; i++) work.pad[i] ^= 0x36;
    SHA512_Init(&work.inner);
    SHA512_Transform(&work.inner, work.pad);
    for (int i = 0; i < block_size; i++) work.pad[i] ^= 0x36 ^ 0x5c;
    SHA512_Init(&work.outer);
    SHA512_Transform(&work.outer, work.pad);

    // Each message is a single block behind that of the key: its padding is written once. Of the salt's block it is the
    // number 1, a bit, and both blocks' length in bits.
    memcpy(work.first, salt, salt_size);
    work.first[salt_size + 3] = 1;
    work.first[salt_size + 4] = 0x80;
    uint64_t bits = (block_size + salt_size + 4) * 8;
    work.first[block_size - 2] = (uint8_t)(bits >> 8);
    work.first[block_size - 1] = (uint8_t)bits;
    work.next[digest_size] = 0x80;
    work.next[block_size - 2] = (block_size + digest_size) * 8 >> 8;
    work.next[block_size - 1] = ((block_size + digest_size) * 8) & 0xff;

    for (uint32_t i = 0; i < iterations; i++) {
        for (int half = 0; half < 2; half++) {
            memcpy(work.state.h, half ? work.outer.h : work.inner.h, sizeof work.state.h);
            SHA512_Transform(&work.state, i == 0 && half == 0 ? work.first : work.next);
            for (int word = 0; word < words; word++) {
                SHA_LONG64 value = work.state.h[word];
                if (half) work.sum[word] ^= value;
                value = __builtin_bswap64(value);
                memcpy(work.next + word * 8, &value, 8);
            }
        }
    }
    for (int word = 0; word < words; word++) work.sum[word] = __builtin_bswap64(work.sum[word]);
    memcpy(key, work.sum, key_size);
    OPENSSL_cleanse(&work, sizeof work);
    return true;
#pragma GCC diagnostic pop
#else
    return false;
#endif
}
