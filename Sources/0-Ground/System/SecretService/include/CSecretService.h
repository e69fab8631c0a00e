// The Secret Service of the desktop, through libsecret, which is looked for at the first call and not
// before: a machine without a desktop runs Valise without it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum valise_secret_status {
    VALISE_SECRET_DONE,
    VALISE_SECRET_NONE,         // nothing is stored under this name
    VALISE_SECRET_NO_LIBRARY,   // libsecret is not installed
    VALISE_SECRET_NO_SERVICE,   // no bus, or nothing on it that keeps secrets
    VALISE_SECRET_LOCKED,       // and nobody may be asked
    VALISE_SECRET_NO_KEYRING,   // the service has no default keyring yet, and nobody may be asked
    VALISE_SECRET_TIMED_OUT,
    VALISE_SECRET_STOPPED,
    VALISE_SECRET_TOO_LONG,     // what is stored does not fit
    VALISE_SECRET_FAILED,
};

// How a call behaves, and what it has to say of a failure.
struct valise_secret_call {
    int timeout;                // in milliseconds, for the whole call
    bool may_prompt;            // whether the service may show its dialog
    bool (*stop)(void);         // asked ten times in a second; NULL never stops
    char message[256];          // of the library, for FAILED and NO_SERVICE
};

// `account` and `label` are UTF-8.
enum valise_secret_status valise_secret_check(struct valise_secret_call *call);
enum valise_secret_status valise_secret_store(
    struct valise_secret_call *call, const char *account, const char *label, const void *bytes, size_t count);
enum valise_secret_status valise_secret_lookup(
    struct valise_secret_call *call, const char *account, void *bytes, size_t capacity, size_t *count);
enum valise_secret_status valise_secret_forget(struct valise_secret_call *call, const char *account);

// The accounts, one a line, for free(); NULL when there are none.
enum valise_secret_status valise_secret_list(struct valise_secret_call *call, char **accounts);
