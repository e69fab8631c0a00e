// SPDX-License-Identifier: Apache-2.0
#include "CMultiBuffer.h"

// The manifest sets this on systems that have the library.
#ifdef VALISE_MULTI_BUFFER

#include <intel-ipsec-mb.h>
#include <stdlib.h>
#include <string.h>

enum { iv_size = 16, tag_size = 64, number_size = 4, block_size = 128, at_once = 64, fingerprint_size = 16 };

struct valise_multi_buffer {
    _Alignas(64) uint32_t encryption[60];
    _Alignas(64) uint32_t decryption[60];
    _Alignas(64) uint8_t inner[tag_size];
    _Alignas(64) uint8_t outer[tag_size];
    _Alignas(64) uint8_t tags[at_once][tag_size];
    IMB_MGR *manager;
};

static void wipe(void *memory, size_t size) {
    memset(memory, 0, size);
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

static void prepare_pad(IMB_MGR *manager, const uint8_t *key, uint8_t pad, uint8_t *digest) {
    uint8_t block[block_size];
    memset(block, pad, sizeof block);
    for (int i = 0; i < 32; i++) block[i] ^= key[i];
    IMB_SHA512_ONE_BLOCK(manager, block, digest);
    wipe(block, sizeof block);
}

static IMB_MGR *make_manager(void) {
    IMB_MGR *manager = alloc_mb_mgr(0);
    if (!manager) return NULL;
    IMB_ARCH architecture = IMB_ARCH_NONE;
    init_mb_mgr_auto(manager, &architecture);
    // Without AVX2 there is nothing to gain over libcrypto.
    if (imb_get_errno(manager) != 0 || architecture < IMB_ARCH_AVX2) {
        free_mb_mgr(manager);
        return NULL;
    }
    return manager;
}

bool valise_multi_buffer_is_served(void) {
    IMB_MGR *manager = make_manager();
    if (manager) free_mb_mgr(manager);
    return manager != NULL;
}

const char *valise_multi_buffer_version(void) { return imb_get_version_str(); }

valise_multi_buffer *valise_multi_buffer_make(const uint8_t *encryption_key, const uint8_t *hmac_key) {
    IMB_MGR *manager = make_manager();
    if (!manager) return NULL;
    valise_multi_buffer *state = aligned_alloc(64, (sizeof *state + 63) / 64 * 64);
    if (!state) {
        free_mb_mgr(manager);
        return NULL;
    }
    state->manager = manager;
    IMB_AES_KEYEXP_256(manager, encryption_key, state->encryption, state->decryption);
    prepare_pad(manager, hmac_key, 0x36, state->inner);
    prepare_pad(manager, hmac_key, 0x5c, state->outer);
    return state;
}

void valise_multi_buffer_free(valise_multi_buffer *state) {
    if (!state) return;
    // Its lanes hold copies of the last round keys and digests.
    wipe(state->manager, imb_get_mb_mgr_size());
    free_mb_mgr(state->manager);
    wipe(state, sizeof *state);
    free(state);
}

static void put_number(uint8_t *target, uint32_t number) {
    for (int i = 0; i < number_size; i++) target[i] = (uint8_t)(number >> (8 * i));
}

static void fill_job(valise_multi_buffer *state, IMB_JOB *job, const struct valise_page *page, uint8_t *tag) {
    memset(job, 0, offsetof(IMB_JOB, sgl_state));
    job->enc_keys = state->encryption;
    job->dec_keys = state->decryption;
    job->key_len_in_bytes = 32;
    job->src = page->content;
    job->dst = page->content;
    job->msg_len_to_cipher_in_bytes = page->body;
    job->msg_len_to_hash_in_bytes = (uint64_t)page->body + iv_size + number_size;
    job->iv = page->content + page->body;
    job->iv_len_in_bytes = iv_size;
    job->auth_tag_output = tag;
    job->auth_tag_output_len_in_bytes = tag_size;
    job->u.HMAC._hashed_auth_key_xor_ipad = state->inner;
    job->u.HMAC._hashed_auth_key_xor_opad = state->outer;
    job->hash_alg = IMB_AUTH_HMAC_SHA_512;
}

static bool run(valise_multi_buffer *state, struct valise_page *pages, size_t count, IMB_CIPHER_MODE mode,
                IMB_CIPHER_DIRECTION direction, IMB_CHAIN_ORDER order) {
    IMB_MGR *manager = state->manager;
    size_t completed = 0;
    bool sound = true;
    for (size_t i = 0; i < count; i++) {
        IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
        fill_job(state, job, &pages[i], state->tags[i]);
        job->cipher_mode = mode;
        job->cipher_direction = direction;
        job->chain_order = order;
        for (job = IMB_SUBMIT_JOB(manager); job; job = IMB_GET_COMPLETED_JOB(manager)) {
            sound = sound && job->status == IMB_STATUS_COMPLETED;
            completed++;
        }
        if (imb_get_errno(manager) != 0) sound = false;
    }
    for (IMB_JOB *job; (job = IMB_FLUSH_JOB(manager)) != NULL;) {
        sound = sound && job->status == IMB_STATUS_COMPLETED;
        completed++;
    }
    return sound && completed == count;
}

// The HMAC is compared in constant time, as everywhere.
static bool equal(const uint8_t *left, const uint8_t *right) {
    uint8_t difference = 0;
    for (int i = 0; i < tag_size; i++) difference |= left[i] ^ right[i];
    return difference == 0;
}

bool valise_multi_buffer_open(valise_multi_buffer *state, struct valise_page *pages, size_t count, bool decrypts) {
    uint8_t expected[at_once][tag_size];
    for (size_t start = 0; start < count; start += at_once) {
        size_t batch = count - start < at_once ? count - start : at_once;
        for (size_t i = 0; i < batch; i++) {
            struct valise_page *page = &pages[start + i];
            uint8_t *tag = page->content + page->body + iv_size;
            memcpy(expected[i], tag, tag_size);
            // The number belongs to what is hashed and follows the IV there.
            put_number(tag, page->number);
        }
        if (!run(state, pages + start, batch, decrypts ? IMB_CIPHER_CBC : IMB_CIPHER_NULL, IMB_DIR_DECRYPT,
                 IMB_ORDER_HASH_CIPHER))
            return false;
        for (size_t i = 0; i < batch; i++) pages[start + i].intact = equal(expected[i], state->tags[i]);
    }
    return true;
}

bool valise_multi_buffer_seal(valise_multi_buffer *state, struct valise_page *pages, size_t count) {
    for (size_t start = 0; start < count; start += at_once) {
        size_t batch = count - start < at_once ? count - start : at_once;
        for (size_t i = 0; i < batch; i++) {
            struct valise_page *page = &pages[start + i];
            put_number(page->content + page->body + iv_size, page->number);
        }
        if (!run(state, pages + start, batch, IMB_CIPHER_CBC, IMB_DIR_ENCRYPT, IMB_ORDER_CIPHER_HASH)) return false;
        for (size_t i = 0; i < batch; i++) {
            struct valise_page *page = &pages[start + i];
            memcpy(page->content + page->body + iv_size, state->tags[i], tag_size);
        }
    }
    return true;
}

struct valise_fingerprint {
    struct gcm_key_data key;
    IMB_MGR *manager;
};

valise_fingerprint *valise_fingerprint_make(const uint8_t *key) {
    IMB_MGR *manager = make_manager();
    if (!manager) return NULL;
    valise_fingerprint *state = aligned_alloc(64, (sizeof *state + 63) / 64 * 64);
    if (!state) {
        free_mb_mgr(manager);
        return NULL;
    }
    state->manager = manager;
    IMB_GHASH_PRE(manager, key, &state->key);
    return state;
}

void valise_fingerprint_free(valise_fingerprint *state) {
    if (!state) return;
    free_mb_mgr(state->manager);
    free(state);
}

void valise_fingerprint_take(const valise_fingerprint *state, const void *bytes, size_t count, uint8_t *result) {
    memset(result, 0, fingerprint_size);
    IMB_GHASH(state->manager, &state->key, bytes, count, result, fingerprint_size);
}

#else

bool valise_multi_buffer_is_served(void) { return false; }
const char *valise_multi_buffer_version(void) { return NULL; }
valise_multi_buffer *valise_multi_buffer_make(const uint8_t *encryption_key, const uint8_t *hmac_key) {
    (void)encryption_key;
    (void)hmac_key;
    return NULL;
}
void valise_multi_buffer_free(valise_multi_buffer *state) { (void)state; }
bool valise_multi_buffer_open(valise_multi_buffer *state, struct valise_page *pages, size_t count, bool decrypts) {
    (void)state, (void)pages, (void)count, (void)decrypts;
    return false;
}
bool valise_multi_buffer_seal(valise_multi_buffer *state, struct valise_page *pages, size_t count) {
    (void)state, (void)pages, (void)count;
    return false;
}
valise_fingerprint *valise_fingerprint_make(const uint8_t *key) {
    (void)key;
    return NULL;
}
void valise_fingerprint_free(valise_fingerprint *state) { (void)state; }
void valise_fingerprint_take(const valise_fingerprint *state, const void *bytes, size_t count, uint8_t *result) {
    (void)state, (void)bytes, (void)count, (void)result;
}

#endif
