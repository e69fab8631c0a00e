// SPDX-License-Identifier: Apache-2.0

#include "CCurl.h"
#include "CPlatform.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#undef curl_easy_setopt  // the header's checks of types are for direct calls
#undef curl_easy_getinfo

#define FUNCTIONS(F) \
    F(curl_global_init) \
    F(curl_version_info) \
    F(curl_easy_init) \
    F(curl_easy_cleanup) \
    F(curl_easy_reset) \
    F(curl_easy_setopt) \
    F(curl_easy_getinfo) \
    F(curl_easy_perform) \
    F(curl_easy_strerror) \
    F(curl_slist_append) \
    F(curl_slist_free_all)

// Their types are those of the header, so that the compiler checks each call below.
#define POINTER(name) __typeof__(name) *name;
struct functions {
    FUNCTIONS(POINTER)
};

// All at once, so that a missing function is found here and not in the middle of a backup.
static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(name) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

// The second one is the same library with another TLS, which git brings along.
static const char *const names[] = {
#ifdef __APPLE__
    "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

static struct functions curl;
static bool is_loaded;
static char why_not[valise_reason_size];

// The library is never unloaded.
static void load(void) {
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_loaded; i++) {
        char reason[valise_reason_size];
        void *library = valise_library_open(&names[i], 1, reason);
        is_loaded = library != NULL && resolve(library, &curl, reason);
        // The usual name is the one to install.
        if (i == 0) memcpy(why_not, reason, sizeof why_not);
    }
    if (is_loaded && curl.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        is_loaded = false;
        (void)snprintf(why_not, sizeof why_not, "it cannot be initialized");
    }
}

const char *valise_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_curl_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

const char *valise_curl_version(void) { return curl.curl_version_info(CURLVERSION_NOW)->version; }

void *valise_curl_open(void) { return curl.curl_easy_init(); }

void valise_curl_close(void *handle) {
    if (handle != NULL) curl.curl_easy_cleanup(handle);
}

static size_t pass_header(char *bytes, size_t size, size_t count, void *context) {
    const struct valise_http_request *request = context;
    return request->header(request->context, bytes, size * count) ? size * count : 0;
}

// An answer of 0 ends the request, also for a part of no bytes, of which there is none.
static size_t pass_body(char *bytes, size_t size, size_t count, void *context) {
    const struct valise_http_request *request = context;
    return request->receive(request->context, bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    const struct valise_http_request *request = context;
    int64_t given = request->give(request->context, bytes, size * count);
    return given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

static int rewind_body(void *context, curl_off_t place, int origin) {
    const struct valise_http_request *request = context;
    bool is_done = origin == SEEK_SET && request->rewind(request->context, place);
    return is_done ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static int pass_progress(void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_put, curl_off_t put) {
    (void)to_get, (void)got, (void)to_put, (void)put;
    const struct valise_http_request *request = context;
    return request->proceed(request->context) ? 0 : 1;
}

// The address is the one that is connected to: a name that leads somewhere else the next time deceives nobody.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    const struct valise_http_request *request = context;
    const void *bytes = NULL;
    size_t size = 0;
    if (address->family == AF_INET) {
        bytes = &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
        size = 4;
    } else if (address->family == AF_INET6) {
        bytes = &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
        size = 16;
    }
    if (bytes == NULL || !request->connects(request->context, bytes, size)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    return socket(address->family, address->socktype, address->protocol);
#endif
}

#define SET(option, value) \
    if (code == CURLE_OK) code = curl.curl_easy_setopt(handle, option, value)

static CURLcode set_content(CURL *handle, const struct valise_http_request *request) {
    CURLcode code = CURLE_OK;
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
    if (request->give == NULL) {
        SET(CURLOPT_POSTFIELDS, request->body != NULL ? request->body : "");
    } else {
        SET(CURLOPT_READFUNCTION, take_body);
        SET(CURLOPT_READDATA, request);
        SET(CURLOPT_SEEKFUNCTION, rewind_body);
        SET(CURLOPT_SEEKDATA, request);
    }
    return code;
}

static CURLcode set_body(CURL *handle, const struct valise_http_request *request) {
    CURLcode code = CURLE_OK;
    if (request->has_body) {
        code = set_content(handle, request);
    } else if (!request->has_answer_body) {
        SET(CURLOPT_NOBODY, 1L);
    } else {
        SET(CURLOPT_HTTPGET, 1L);
    }
    // It changes the name only, and HEAD has its own already.
    if (request->has_body || request->has_answer_body) SET(CURLOPT_CUSTOMREQUEST, request->method);
    return code;
}

static CURLcode set_identity(CURL *handle, const struct valise_http_request *request) {
    CURLcode code = CURLE_OK;
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (request->authorities != NULL) {
        SET(CURLOPT_CAINFO, request->authorities);
        SET(CURLOPT_CAPATH, NULL);
    }
    if (request->user != NULL) {
        SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        SET(CURLOPT_USERNAME, request->user);
        SET(CURLOPT_PASSWORD, request->password != NULL ? request->password : "");
    }
    return code;
}

static CURLcode set(CURL *handle, const struct valise_http_request *request, struct curl_slist *headers, char *reason) {
    CURLcode code = CURLE_OK;
    SET(CURLOPT_ERRORBUFFER, reason);
    SET(CURLOPT_URL, request->url);
    // What was signed is what is sent.
    SET(CURLOPT_PATH_AS_IS, 1L);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // its successor is younger than Debian 12 and Ubuntu 22.04
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_USERAGENT, "valise");
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    // Threads have no signals for time-outs.
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, 256L << 10);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
    SET(CURLOPT_LOW_SPEED_TIME, request->stall_seconds);
    SET(CURLOPT_HEADERFUNCTION, pass_header);
    SET(CURLOPT_HEADERDATA, request);
    SET(CURLOPT_WRITEFUNCTION, pass_body);
    SET(CURLOPT_WRITEDATA, request);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, pass_progress);
    SET(CURLOPT_XFERINFODATA, request);
    if (request->connects != NULL) {
        SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
        SET(CURLOPT_OPENSOCKETDATA, request);
        // One that was opened before was not asked about.
        SET(CURLOPT_FRESH_CONNECT, 1L);
    }
    if (code == CURLE_OK) code = set_identity(handle, request);
    return code == CURLE_OK ? set_body(handle, request) : code;
}

static enum valise_curl_outcome outcome(CURLcode code) {
    switch (code) {
        case CURLE_OK: return VALISE_CURL_OK;
        case CURLE_WRITE_ERROR:
        case CURLE_ABORTED_BY_CALLBACK: return VALISE_CURL_STOPPED;
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_SEND_FAIL_REWIND:
        case CURLE_RECV_ERROR:
        case CURLE_PROXY: return VALISE_CURL_UNREACHABLE;
        case CURLE_OPERATION_TIMEDOUT: return VALISE_CURL_TIMEOUT;
        case CURLE_UNSUPPORTED_PROTOCOL:  // HTTP/0.9: the protocol of the address was looked at before
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_BAD_CONTENT_ENCODING:
        case CURLE_PARTIAL_FILE: return VALISE_CURL_BROKEN_ANSWER;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_INVALIDCERTSTATUS: return VALISE_CURL_UNTRUSTED;
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CRL_BADFILE: return VALISE_CURL_AUTHORITIES;
        case CURLE_OUT_OF_MEMORY: return VALISE_CURL_NO_MEMORY;
        default: return VALISE_CURL_INVALID;
    }
}

// TLS writes into a connection that the server has closed.
static CURLcode perform(CURL *handle) {
    struct valise_pipe_signal held;
    valise_hold_pipe_signal(&held);
    CURLcode code = curl.curl_easy_perform(handle);
    valise_drop_pipe_signal(&held);
    return code;
}

static CURLcode read_headers(const struct valise_http_request *request, struct curl_slist **list) {
    for (size_t place = 0; place < request->headers_size; place += strlen(request->headers + place) + 1) {
        struct curl_slist *longer = curl.curl_slist_append(*list, request->headers + place);
        if (longer == NULL) return CURLE_OUT_OF_MEMORY;
        *list = longer;
    }
    return CURLE_OK;
}

void valise_curl_perform(void *handle, const struct valise_http_request *request, struct valise_http_result *result) {
    char reason[CURL_ERROR_SIZE] = "";
    struct curl_slist *headers = NULL;
    CURLcode code = read_headers(request, &headers);
    if (code == CURLE_OK) code = set(handle, request, headers, reason);
    if (code == CURLE_OK) code = perform(handle);
    result->status = 0;
    if (curl.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &result->status) != CURLE_OK) result->status = 0;
    result->outcome = outcome(code);
    // The library's word for a line of a head that does not end.
    if (code == CURLE_OUT_OF_MEMORY && result->status != 0) result->outcome = VALISE_CURL_BROKEN_ANSWER;
    result->code = (int)code;
    const char *words = reason[0] != '\0' ? reason : curl.curl_easy_strerror(code);
    (void)snprintf(result->reason, sizeof result->reason, "%s", words);
    // The connection stays; the password and what points into the caller's memory do not.
    curl.curl_easy_reset(handle);
    curl.curl_slist_free_all(headers);
}
