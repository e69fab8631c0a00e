// SPDX-License-Identifier: Apache-2.0

#include "CPostgres.h"
#include "CPlatform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Declared here and not by the header, so that who builds needs none (decision 0072). These are the functions of the library's
// documentation; its enums are of the type `unsigned int`, and their values are part of its interface. Where the header is
// installed, a test compares both: see the end of this file.
typedef struct pg_conn Connection;
typedef struct pg_result Result;
typedef struct pg_cancel Cancel;

struct option {
    char *keyword;
    char *variable;
    char *compiled;
    char *value;
    char *label;
    char *display;
    int size;
};

typedef void (*notice)(void *, const char *);

#define FUNCTIONS(F) \
    F(int, PQlibVersion, (void)) \
    F(struct option *, PQconninfoParse, (const char *, char **)) \
    F(void, PQconninfoFree, (struct option *)) \
    F(void, PQfreemem, (void *)) \
    F(Connection *, PQconnectStartParams, (const char *const *, const char *const *, int)) \
    F(unsigned, PQconnectPoll, (Connection *)) \
    F(void, PQfinish, (Connection *)) \
    F(notice, PQsetNoticeProcessor, (Connection *, notice, void *)) \
    F(unsigned, PQsetErrorVerbosity, (Connection *, unsigned)) \
    F(int, PQsetnonblocking, (Connection *, int)) \
    F(unsigned, PQstatus, (const Connection *)) \
    F(char *, PQerrorMessage, (const Connection *)) \
    F(int, PQsocket, (const Connection *)) \
    F(char *, PQhost, (const Connection *)) \
    F(char *, PQport, (const Connection *)) \
    F(char *, PQdb, (const Connection *)) \
    F(int, PQserverVersion, (const Connection *)) \
    F(const char *, PQparameterStatus, (const Connection *, const char *)) \
    F(unsigned, PQtransactionStatus, (const Connection *)) \
    F(int, PQsendPrepare, (Connection *, const char *, const char *, int, const unsigned *)) \
    F(int, PQsendQueryPrepared, \
      (Connection *, const char *, int, const char *const *, const int *, const int *, int)) \
    F(int, PQsendQueryParams, \
      (Connection *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int)) \
    F(int, PQsendQuery, (Connection *, const char *)) \
    F(int, PQenterPipelineMode, (Connection *)) \
    F(int, PQexitPipelineMode, (Connection *)) \
    F(int, PQpipelineSync, (Connection *)) \
    F(int, PQflush, (Connection *)) \
    F(int, PQconsumeInput, (Connection *)) \
    F(int, PQisBusy, (Connection *)) \
    F(Result *, PQgetResult, (Connection *)) \
    F(void, PQclear, (Result *)) \
    F(unsigned, PQresultStatus, (const Result *)) \
    F(char *, PQresultErrorField, (const Result *, int)) \
    F(char *, PQcmdStatus, (Result *)) \
    F(char *, PQcmdTuples, (Result *)) \
    F(int, PQntuples, (const Result *)) \
    F(int, PQnfields, (const Result *)) \
    F(char *, PQfname, (const Result *, int)) \
    F(unsigned, PQftype, (const Result *, int)) \
    F(int, PQfformat, (const Result *, int)) \
    F(int, PQgetisnull, (const Result *, int, int)) \
    F(char *, PQgetvalue, (const Result *, int, int)) \
    F(int, PQgetlength, (const Result *, int, int)) \
    F(Cancel *, PQgetCancel, (Connection *)) \
    F(int, PQcancel, (Cancel *, char *, int)) \
    F(void, PQfreeCancel, (Cancel *))

// Values of its enums.
enum {
    connection_ok = 0,
    polling_failed = 0,
    polling_reading = 1,
    polling_writing = 2,
    polling_ok = 3,
    empty_query = 0,
    command_ok = 1,
    tuples_ok = 2,
    bad_response = 5,
    fatal_error = 7,
    pipeline_sync = 10,
    pipeline_aborted = 11,
    errors_verbose = 2,
    transaction_idle = 0,
    transaction_active = 1,
    transaction_in = 2,
    transaction_in_error = 3,
};

#define POINTER(result, name, parameters) result (*name) parameters;
struct functions {
    FUNCTIONS(POINTER)
};

// All at once, so that a missing function is found here and not in the middle of an upload.
static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(result, name, parameters) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

static struct functions pq;
static bool is_loaded;
static char why_not[valise_reason_size];

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    is_loaded = library != NULL && resolve(library, &pq, why_not);
}

const char *valise_postgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_postgres_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

int valise_postgres_version(void) { return pq.PQlibVersion(); }

bool valise_postgres_read_address(
    const char *text, void *context, void (*body)(void *context, const char *keyword, const char *value)) {
    char *message = NULL;
    struct option *options = pq.PQconninfoParse(text, &message);
    if (message != NULL) pq.PQfreemem(message);
    if (options == NULL) return false;
    for (const struct option *option = options; option->keyword != NULL; option++) {
        if (option->value != NULL) body(context, option->keyword, option->value);
    }
    pq.PQconninfoFree(options);
    return true;
}

// MARK: Connections

// It would write them to standard error.
static void ignore(void *context, const char *message) { (void)context, (void)message; }

Connection *valise_postgres_start(const char *const *keywords, const char *const *values, int count) {
    if (count < 0) return NULL;
    // Each list ends with NULL.
    const char **lists = calloc(2 * ((size_t)count + 1), sizeof *lists);
    if (lists == NULL) return NULL;
    const char **second = lists + (size_t)count + 1;
    for (int i = 0; i < count; i++) {
        lists[i] = keywords[i];
        second[i] = values[i];
    }
    Connection *connection = pq.PQconnectStartParams(lists, second, 1);
    free(lists);
    if (connection == NULL) return NULL;
    (void)pq.PQsetNoticeProcessor(connection, ignore, NULL);
    // With the state of five letters: while it connects there is no result to ask for it.
    (void)pq.PQsetErrorVerbosity(connection, errors_verbose);
    return connection;
}

enum valise_postgres_step valise_postgres_proceed(Connection *connection) {
    switch (pq.PQconnectPoll(connection)) {
        case polling_reading: return VALISE_POSTGRES_READ;
        case polling_writing: return VALISE_POSTGRES_WRITE;
        case polling_ok: return VALISE_POSTGRES_CONNECTED;
        default: return VALISE_POSTGRES_FAILED;
    }
}

bool valise_postgres_make_nonblocking(Connection *connection) { return pq.PQsetnonblocking(connection, 1) == 0; }

void valise_postgres_finish(Connection *connection) { pq.PQfinish(connection); }

bool valise_postgres_is_connected(const Connection *connection) { return pq.PQstatus(connection) == connection_ok; }

const char *valise_postgres_message(const Connection *connection) { return pq.PQerrorMessage(connection); }

int valise_postgres_socket(const Connection *connection) { return pq.PQsocket(connection); }

const char *valise_postgres_host(const Connection *connection) { return pq.PQhost(connection); }

const char *valise_postgres_port(const Connection *connection) { return pq.PQport(connection); }

const char *valise_postgres_database(const Connection *connection) { return pq.PQdb(connection); }

int valise_postgres_server_version(const Connection *connection) { return pq.PQserverVersion(connection); }

const char *valise_postgres_parameter(const Connection *connection, const char *name) {
    return pq.PQparameterStatus(connection, name);
}

enum valise_postgres_transaction valise_postgres_transaction(const Connection *connection) {
    switch (pq.PQtransactionStatus(connection)) {
        case transaction_idle: return VALISE_POSTGRES_IDLE;
        case transaction_active: return VALISE_POSTGRES_ACTIVE;
        case transaction_in: return VALISE_POSTGRES_IN_TRANSACTION;
        case transaction_in_error: return VALISE_POSTGRES_IN_ERROR;
        default: return VALISE_POSTGRES_UNKNOWN;
    }
}

// MARK: Statements

// What the library wants of values: where each is, its size and its form, in one piece of memory.
struct lists {
    const char **places;
    int *sizes;
    int *forms;
};

// False when memory is short, and for sizes that are not those of the bytes.
static bool make_lists(const struct valise_postgres_values *values, struct lists *lists) {
    *lists = (struct lists){NULL, NULL, NULL};
    if (values->count < 0) return false;
    size_t count = (size_t)values->count;
    // None is not the same for all allocators.
    lists->places = calloc(count + 1, sizeof *lists->places + 2 * sizeof *lists->sizes);
    if (lists->places == NULL) return false;
    lists->sizes = (int *)(void *)(lists->places + count + 1);
    lists->forms = lists->sizes + count + 1;
    size_t place = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t size = values->sizes[i];
        lists->forms[i] = 1;
        if (size < 0) continue;  // null has no place
        if ((size_t)size > values->size - place) return false;
        // One of no bytes has a place, too: without it, it would be null.
        lists->places[i] = size == 0 ? "" : (const char *)values->bytes + place;
        lists->sizes[i] = size;
        place += (size_t)size;
    }
    return place == values->size;
}

bool valise_postgres_prepare(
    Connection *connection, const char *name, const char *text, const struct valise_postgres_values *values) {
    return pq.PQsendPrepare(connection, name, text, values->count, values->types) == 1;
}

bool valise_postgres_execute_prepared(
    Connection *connection, const char *name, const struct valise_postgres_values *values) {
    struct lists lists;
    bool is_sent = make_lists(values, &lists) &&
                   pq.PQsendQueryPrepared(
                       connection, name, values->count, lists.places, lists.sizes, lists.forms, 1) == 1;
    free(lists.places);
    return is_sent;
}

bool valise_postgres_execute(
    Connection *connection, const char *text, const struct valise_postgres_values *values) {
    struct lists lists;
    bool is_sent = make_lists(values, &lists) &&
                   pq.PQsendQueryParams(
                       connection, text, values->count, values->types, lists.places, lists.sizes, lists.forms, 1) == 1;
    free(lists.places);
    return is_sent;
}

bool valise_postgres_execute_script(Connection *connection, const char *text) {
    return pq.PQsendQuery(connection, text) == 1;
}

bool valise_postgres_enter_pipeline(Connection *connection) { return pq.PQenterPipelineMode(connection) == 1; }

bool valise_postgres_leave_pipeline(Connection *connection) { return pq.PQexitPipelineMode(connection) == 1; }

bool valise_postgres_synchronize(Connection *connection) { return pq.PQpipelineSync(connection) == 1; }

int valise_postgres_flush(Connection *connection) { return pq.PQflush(connection); }

bool valise_postgres_receive(Connection *connection) { return pq.PQconsumeInput(connection) == 1; }

bool valise_postgres_is_busy(Connection *connection) { return pq.PQisBusy(connection) != 0; }

// MARK: Answers

Result *valise_postgres_next(Connection *connection) { return pq.PQgetResult(connection); }

void valise_postgres_clear(Result *result) { pq.PQclear(result); }

enum valise_postgres_outcome valise_postgres_outcome(const Result *result) {
    switch (pq.PQresultStatus(result)) {
        case empty_query:
        case command_ok: return VALISE_POSTGRES_DONE;
        case tuples_ok: return VALISE_POSTGRES_ROWS;
        case bad_response:
        case fatal_error: return VALISE_POSTGRES_ERROR;
        case pipeline_sync: return VALISE_POSTGRES_SYNCHRONIZED;
        case pipeline_aborted: return VALISE_POSTGRES_SKIPPED;
        default: return VALISE_POSTGRES_OTHER;
    }
}

const char *valise_postgres_field(const Result *result, char field) { return pq.PQresultErrorField(result, field); }

const char *valise_postgres_tag(Result *result) { return pq.PQcmdStatus(result); }

const char *valise_postgres_affected(Result *result) { return pq.PQcmdTuples(result); }

int valise_postgres_row_count(const Result *result) { return pq.PQntuples(result); }

int valise_postgres_column_count(const Result *result) { return pq.PQnfields(result); }

const char *valise_postgres_column_name(const Result *result, int column) { return pq.PQfname(result, column); }

uint32_t valise_postgres_column_type(const Result *result, int column) { return pq.PQftype(result, column); }

bool valise_postgres_column_is_binary(const Result *result, int column) { return pq.PQfformat(result, column) == 1; }

bool valise_postgres_value(const Result *result, int row, int column, const uint8_t **bytes, size_t *size) {
    *bytes = NULL;
    *size = 0;
    // A place that does not exist is null, too.
    if (pq.PQgetisnull(result, row, column) != 0) return false;
    int length = pq.PQgetlength(result, row, column);
    *bytes = (const uint8_t *)pq.PQgetvalue(result, row, column);
    *size = length > 0 && *bytes != NULL ? (size_t)length : 0;
    return true;
}

// MARK: Cancelling

Cancel *valise_postgres_prepare_cancel(Connection *connection) { return pq.PQgetCancel(connection); }

void valise_postgres_cancel(Cancel *request) {
    // It writes into a connection that the server may have closed.
    struct valise_pipe_signal held;
    valise_hold_pipe_signal(&held);
    char reason[256];
    (void)pq.PQcancel(request, reason, sizeof reason);
    valise_drop_pipe_signal(&held);
    pq.PQfreeCancel(request);
}

// Compiled by a test alone, where the header is installed: every function and value above is the header's.
#ifdef VALISE_COMPARE_WITH_HEADER
#include <libpq-fe.h>

#define COMPARE(result, name, parameters) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result parameters), #name);
#define option _PQconninfoOption  // the same by another name
#define notice PQnoticeProcessor
FUNCTIONS(COMPARE)
#undef option
#undef notice

#define SAME(field, other) \
    _Static_assert( \
        offsetof(struct option, field) == offsetof(PQconninfoOption, other) && \
            sizeof(((struct option *)NULL)->field) == sizeof(((PQconninfoOption *)NULL)->other), \
        #other)
SAME(keyword, keyword);
SAME(variable, envvar);
SAME(compiled, compiled);
SAME(value, val);
SAME(label, label);
SAME(display, dispchar);
SAME(size, dispsize);
_Static_assert(sizeof(struct option) == sizeof(PQconninfoOption), "PQconninfoOption");

#define EQUAL(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
EQUAL(connection_ok, CONNECTION_OK);
EQUAL(polling_failed, PGRES_POLLING_FAILED);
EQUAL(polling_reading, PGRES_POLLING_READING);
EQUAL(polling_writing, PGRES_POLLING_WRITING);
EQUAL(polling_ok, PGRES_POLLING_OK);
EQUAL(empty_query, PGRES_EMPTY_QUERY);
EQUAL(command_ok, PGRES_COMMAND_OK);
EQUAL(tuples_ok, PGRES_TUPLES_OK);
EQUAL(bad_response, PGRES_BAD_RESPONSE);
EQUAL(fatal_error, PGRES_FATAL_ERROR);
EQUAL(pipeline_sync, PGRES_PIPELINE_SYNC);
EQUAL(pipeline_aborted, PGRES_PIPELINE_ABORTED);
EQUAL(errors_verbose, PQERRORS_VERBOSE);
EQUAL(transaction_idle, PQTRANS_IDLE);
EQUAL(transaction_active, PQTRANS_ACTIVE);
EQUAL(transaction_in, PQTRANS_INTRANS);
EQUAL(transaction_in_error, PQTRANS_INERROR);
EQUAL('C', PG_DIAG_SQLSTATE);
EQUAL('M', PG_DIAG_MESSAGE_PRIMARY);
EQUAL('n', PG_DIAG_CONSTRAINT_NAME);
#endif
