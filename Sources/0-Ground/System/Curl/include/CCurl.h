// libcurl, which is loaded when it is first needed and not at the start of the program: with what it needs itself (twenty
// libraries, Kerberos and LDAP among them), loading takes longer than most commands (decision 0054).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread. NULL when all its functions are there; else why not, in the words
// of the system's loader. They last as long as the program.
const char *valise_curl_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_curl_try(const char *name);

// What follows is called only once the library is loaded.

// Such as 7.88.1.
const char *valise_curl_version(void);

// A handle keeps its connection for the next request. One thread uses it at a time. NULL when memory is short.
void *valise_curl_open(void);
void valise_curl_close(void *handle);

// One request; all that it points to lasts until it has ended. Texts that are NULL are left out.
struct valise_http_request {
    const char *method;
    const char *url;
    // Lines one behind the other, each with a zero byte for its end.
    const char *headers;
    size_t headers_size;
    // An empty body may have no place.
    bool has_body;
    const void *body;
    int64_t body_size;
    // Gives the body piece by piece instead: fills up to so many bytes and says how many; negative ends the request. NULL for a
    // body in memory.
    int64_t (*give)(void *context, void *bytes, size_t size);
    // Has the next piece begin at this place: a connection that was kept may turn out to be closed, and the request goes by a new one.
    bool (*rewind)(void *context, int64_t place);
    const char *user;
    const char *password;
    // A file of certificates that are trusted instead of the system's.
    const char *authorities;
    // Until the connection is there, encrypted if it is to be.
    long connect_milliseconds;
    // Without a single byte in either direction.
    long stall_seconds;
    // False for the answer's headers alone (HEAD).
    bool has_answer_body;

    // The callbacks get the context, and end the request by returning false.
    void *context;
    // A line of the answer's head, with its end.
    bool (*header)(void *context, const void *line, size_t size);
    // A part of the answer's body.
    bool (*receive)(void *context, const void *bytes, size_t size);
    // Asked about once a second, and more often while something moves.
    bool (*proceed)(void *context);
    // Asked before each connection, with the 4 or 16 bytes of the address that was found for the name, or that of a proxy; false
    // leaves it out, and no other way leads there. NULL for any address.
    bool (*connects)(void *context, const void *address, size_t size);
};

// How a request failed.
enum valise_curl_outcome {
    VALISE_CURL_OK = 0,
    // A callback ended it.
    VALISE_CURL_STOPPED,
    // The server was not reached, or the connection ended.
    VALISE_CURL_UNREACHABLE,
    // Nothing moved for too long.
    VALISE_CURL_TIMEOUT,
    // The answer ended before the length that it has said, or is no HTTP.
    VALISE_CURL_BROKEN_ANSWER,
    // The server's certificate is not trusted, or is another one's.
    VALISE_CURL_UNTRUSTED,
    // The file of trusted certificates cannot be used.
    VALISE_CURL_AUTHORITIES,
    VALISE_CURL_NO_MEMORY,
    // Anything else: a mistake of the caller.
    VALISE_CURL_INVALID,
};

struct valise_http_result {
    enum valise_curl_outcome outcome;
    // The library's own number, for those who look it up.
    int code;
    // Of the last answer; 0 where there is none.
    long status;
    // In the library's words.
    char reason[256];
};

void valise_curl_perform(void *handle, const struct valise_http_request *request, struct valise_http_result *result);
