// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1

#include "CSecretService.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What is used of GLib's and libsecret's public structures, which have been the same since version 0.12.
typedef struct { uint32_t domain; int code; char *message; } Error;
typedef struct List { void *data; struct List *next, *previous; } List;
typedef struct {
    const char *name;
    int flags;
    struct { const char *name; int type; } attributes[32];
    int reserved;
    void *reserved_pointers[7];
} Schema;

enum { OPEN_SESSION = 1 << 1 };
enum { SEARCH_ALL = 1 << 1, SEARCH_UNLOCK = 1 << 2, SEARCH_LOAD_SECRETS = 1 << 3 };
enum { IO_ERROR_CANCELLED = 19 };
enum { SECRET_ERROR_IS_LOCKED = 2 };

#define ATTRIBUTE "account"
static const Schema schema = {"valise.AccountPassphrase", 0, {{ATTRIBUTE, 0}, {NULL, 0}}, 0, {0}};

// Result, name, parameters.
#define FUNCTIONS(F) \
    F(void *, g_cancellable_new, (void)) \
    F(void, g_cancellable_cancel, (void *)) \
    F(void, g_object_unref, (void *)) \
    F(void, g_error_free, (Error *)) \
    F(void, g_list_free, (List *)) \
    F(unsigned, g_str_hash, (const void *)) \
    F(int, g_str_equal, (const void *, const void *)) \
    F(void *, g_hash_table_new, (unsigned (*)(const void *), int (*)(const void *, const void *))) \
    F(int, g_hash_table_insert, (void *, void *, void *)) \
    F(void *, g_hash_table_lookup, (void *, const void *)) \
    F(void, g_hash_table_unref, (void *)) \
    F(uint32_t, g_io_error_quark, (void)) \
    F(uint32_t, secret_error_get_quark, (void)) \
    F(void *, secret_service_get_sync, (int, void *, Error **)) \
    F(List *, secret_service_search_sync, (void *, const Schema *, void *, int, void *, Error **)) \
    F(int, secret_service_store_sync, \
        (void *, const Schema *, void *, const char *, const char *, void *, void *, Error **)) \
    F(int, secret_service_clear_sync, (void *, const Schema *, void *, void *, Error **)) \
    F(void *, secret_collection_for_alias_sync, (void *, const char *, int, void *, Error **)) \
    F(int, secret_collection_get_locked, (void *)) \
    F(int, secret_item_get_locked, (void *)) \
    F(void *, secret_item_get_secret, (void *)) \
    F(void *, secret_item_get_attributes, (void *)) \
    F(void *, secret_value_new, (const void *, ptrdiff_t, const char *)) \
    F(const void *, secret_value_get, (void *, size_t *)) \
    F(void, secret_value_unref, (void *))

#define DECLARE(result, name, parameters) static result (*name##_) parameters;
FUNCTIONS(DECLARE)

static bool loaded;

static void load(void) {
    // Its types stay registered, so the library is never unloaded.
    void *library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool complete = true;
#define FIND(result, name, parameters) \
    complete = (*(void **)&name##_ = dlsym(library, #name)) != NULL && complete;
    FUNCTIONS(FIND)
    loaded = complete;
}

// A call of libsecret waits for the bus. A second thread ends that wait: at the deadline, or when asked.
struct watch {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct valise_secret_call *call;
    void *cancellable;
    bool ended, timed_out, stopped, has_thread;
};

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *watch_call(void *context) {
    struct watch *watch = context;
    int64_t deadline = milliseconds() + watch->call->timeout;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->ended) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_nsec += 100 * 1000000;
        if (next.tv_nsec >= 1000000000) next.tv_sec += 1, next.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&watch->changed, &watch->mutex, &next);
        if (watch->ended) break;
        watch->stopped = watch->call->stop != NULL && watch->call->stop();
        watch->timed_out = !watch->stopped && milliseconds() >= deadline;
        if (watch->stopped || watch->timed_out) {
            pthread_mutex_unlock(&watch->mutex);
            g_cancellable_cancel_(watch->cancellable);
            return NULL;
        }
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

static bool watch_start(struct watch *watch, struct valise_secret_call *call) {
    *watch = (struct watch){.call = call, .cancellable = g_cancellable_new_()};
    pthread_mutex_init(&watch->mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    watch->has_thread = pthread_create(&watch->thread, NULL, watch_call, watch) == 0;
    return watch->has_thread;
}

static void watch_end(struct watch *watch) {
    if (watch->has_thread) {
        pthread_mutex_lock(&watch->mutex);
        watch->ended = true;
        pthread_cond_signal(&watch->changed);
        pthread_mutex_unlock(&watch->mutex);
        pthread_join(watch->thread, NULL);
    }
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->mutex);
    g_object_unref_(watch->cancellable);
}

// One conversation with the service.
struct session {
    struct watch watch;
    void *service;
    void *attributes;           // that an item has to have
    Error *error;
};

static enum valise_secret_status failed(struct session *session, enum valise_secret_status status) {
    Error *error = session->error;
    session->error = NULL;
    if (error != NULL) {
        strncpy(session->watch.call->message, error->message, sizeof session->watch.call->message - 1);
        // The dialog was dismissed: the user does not want to unlock.
        if (error->domain == g_io_error_quark_() && error->code == IO_ERROR_CANCELLED
            && status == VALISE_SECRET_FAILED)
            status = VALISE_SECRET_LOCKED;
        if (error->domain == secret_error_get_quark_() && error->code == SECRET_ERROR_IS_LOCKED)
            status = VALISE_SECRET_LOCKED;
        g_error_free_(error);
    }
    if (session->watch.timed_out) return VALISE_SECRET_TIMED_OUT;
    if (session->watch.stopped) return VALISE_SECRET_STOPPED;
    return status;
}

static enum valise_secret_status session_start(
    struct session *session, struct valise_secret_call *call, const char *account) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    *session = (struct session){0};
    call->message[0] = 0;
    pthread_once(&once, load);
    if (!loaded) return VALISE_SECRET_NO_LIBRARY;
    if (!watch_start(&session->watch, call)) return VALISE_SECRET_FAILED;
    session->attributes = g_hash_table_new_(g_str_hash_, g_str_equal_);
    if (account != NULL) g_hash_table_insert_(session->attributes, ATTRIBUTE, (void *)account);
    session->service = secret_service_get_sync_(OPEN_SESSION, session->watch.cancellable, &session->error);
    if (session->service == NULL) return failed(session, VALISE_SECRET_NO_SERVICE);
    return VALISE_SECRET_DONE;
}

static void session_end(struct session *session) {
    if (session->service != NULL) g_object_unref_(session->service);
    if (session->attributes != NULL) g_hash_table_unref_(session->attributes);
    if (session->watch.cancellable != NULL) watch_end(&session->watch);
}

static void free_items(List *items) {
    for (List *item = items; item != NULL; item = item->next) g_object_unref_(item->data);
    g_list_free_(items);
}

// The items that have the attributes; LOCKED when one of them stays locked and `must_open` is set.
static enum valise_secret_status search(struct session *session, int flags, bool must_open, List **items) {
    if (session->watch.call->may_prompt && must_open) flags |= SEARCH_UNLOCK;
    *items = secret_service_search_sync_(
        session->service, &schema, session->attributes, SEARCH_ALL | flags, session->watch.cancellable,
        &session->error);
    if (session->error != NULL) return failed(session, VALISE_SECRET_FAILED);
    for (List *item = *items; item != NULL && must_open; item = item->next) {
        if (!secret_item_get_locked_(item->data)) continue;
        free_items(*items);
        *items = NULL;
        return VALISE_SECRET_LOCKED;
    }
    return *items == NULL ? VALISE_SECRET_NONE : VALISE_SECRET_DONE;
}

// Whether the default keyring takes something without asking.
static enum valise_secret_status check_keyring(struct session *session) {
    void *keyring = secret_collection_for_alias_sync_(
        session->service, "default", 0, session->watch.cancellable, &session->error);
    if (session->error != NULL) return failed(session, VALISE_SECRET_FAILED);
    if (keyring == NULL) return VALISE_SECRET_NO_KEYRING;
    bool locked = secret_collection_get_locked_(keyring);
    g_object_unref_(keyring);
    return locked ? VALISE_SECRET_LOCKED : VALISE_SECRET_DONE;
}

enum valise_secret_status valise_secret_check(struct valise_secret_call *call) {
    struct session session;
    enum valise_secret_status status = session_start(&session, call, NULL);
    if (status == VALISE_SECRET_DONE && !call->may_prompt) status = check_keyring(&session);
    session_end(&session);
    return status;
}

enum valise_secret_status valise_secret_store(
    struct valise_secret_call *call, const char *account, const char *label, const void *bytes,
    size_t count) {
    struct session session;
    enum valise_secret_status status = session_start(&session, call, account);
    if (status == VALISE_SECRET_DONE && !call->may_prompt) status = check_keyring(&session);
    if (status == VALISE_SECRET_DONE) {
        void *value = secret_value_new_(bytes, (ptrdiff_t)count, "application/octet-stream");
        int done = secret_service_store_sync_(
            session.service, &schema, session.attributes, "default", label, value,
            session.watch.cancellable, &session.error);
        secret_value_unref_(value);
        if (!done) status = failed(&session, VALISE_SECRET_FAILED);
    }
    session_end(&session);
    return status;
}

enum valise_secret_status valise_secret_lookup(
    struct valise_secret_call *call, const char *account, void *bytes, size_t capacity, size_t *count) {
    struct session session;
    List *items = NULL;
    enum valise_secret_status status = session_start(&session, call, account);
    if (status == VALISE_SECRET_DONE) status = search(&session, SEARCH_LOAD_SECRETS, true, &items);
    if (status == VALISE_SECRET_DONE) {
        size_t length = 0;
        void *value = secret_item_get_secret_(items->data);
        const void *found = value == NULL ? NULL : secret_value_get_(value, &length);
        if (found == NULL) status = VALISE_SECRET_FAILED;
        else if (length > capacity) status = VALISE_SECRET_TOO_LONG;
        else memcpy(bytes, found, *count = length);
        if (value != NULL) secret_value_unref_(value);
        free_items(items);
    }
    session_end(&session);
    return status;
}

enum valise_secret_status valise_secret_forget(struct valise_secret_call *call, const char *account) {
    struct session session;
    List *items = NULL;
    enum valise_secret_status status = session_start(&session, call, account);
    if (status == VALISE_SECRET_DONE) status = search(&session, 0, true, &items);
    if (status == VALISE_SECRET_DONE) {
        free_items(items);
        if (!secret_service_clear_sync_(
                session.service, &schema, session.attributes, session.watch.cancellable, &session.error))
            status = failed(&session, VALISE_SECRET_FAILED);
    }
    session_end(&session);
    return status;
}

static char *joined_accounts(List *items) {
    char *text = NULL;
    size_t length = 0;
    for (List *item = items; item != NULL; item = item->next) {
        void *attributes = secret_item_get_attributes_(item->data);
        const char *account = attributes == NULL ? NULL : g_hash_table_lookup_(attributes, ATTRIBUTE);
        size_t more = account == NULL ? 0 : strlen(account);
        char *longer = more == 0 ? NULL : realloc(text, length + more + 2);
        if (longer != NULL) {
            text = longer;
            memcpy(text + length, account, more);
            memcpy(text + length + more, "\n", 2);
            length += more + 1;
        }
        if (attributes != NULL) g_hash_table_unref_(attributes);
    }
    return text;
}

enum valise_secret_status valise_secret_list(struct valise_secret_call *call, char **accounts) {
    struct session session;
    List *items = NULL;
    *accounts = NULL;
    enum valise_secret_status status = session_start(&session, call, NULL);
    if (status == VALISE_SECRET_DONE) status = search(&session, 0, false, &items);
    if (status == VALISE_SECRET_DONE) {
        *accounts = joined_accounts(items);
        free_items(items);
    }
    session_end(&session);
    return status;
}

#else

enum valise_secret_status valise_secret_check(struct valise_secret_call *call) {
    (void)call;
    return VALISE_SECRET_NO_LIBRARY;
}

enum valise_secret_status valise_secret_store(
    struct valise_secret_call *call, const char *account, const char *label, const void *bytes,
    size_t count) {
    (void)call, (void)account, (void)label, (void)bytes, (void)count;
    return VALISE_SECRET_NO_LIBRARY;
}

enum valise_secret_status valise_secret_lookup(
    struct valise_secret_call *call, const char *account, void *bytes, size_t capacity, size_t *count) {
    (void)call, (void)account, (void)bytes, (void)capacity, (void)count;
    return VALISE_SECRET_NO_LIBRARY;
}

enum valise_secret_status valise_secret_forget(struct valise_secret_call *call, const char *account) {
    (void)call, (void)account;
    return VALISE_SECRET_NO_LIBRARY;
}

enum valise_secret_status valise_secret_list(struct valise_secret_call *call, char **accounts) {
    (void)call;
    *accounts = NULL;
    return VALISE_SECRET_NO_LIBRARY;
}

#endif
