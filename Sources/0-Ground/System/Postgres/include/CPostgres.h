// libpq, the client library of PostgreSQL, which is loaded when a relay is first given a server and not at the start of the
// program: it brings some twenty libraries, Kerberos and LDAP among them (decisions 0054 and 0072).
//
// Nothing here waits but valise_postgres_start, for the address of a name, and valise_postgres_cancel.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread. NULL when all its functions are there; else why not, in the words of
// the system's loader. They last as long as the program.
const char *valise_postgres_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_postgres_try(const char *name);

// What follows is called only once the library is loaded.

// Such as 150018 for 15.18.
int valise_postgres_version(void);

// What a connection string says: `body` gets each word that has a value in it, which lasts for that call. False for a text
// that is no connection string, and where memory is short. What the library says of it quotes the text, and with it passwords
// that are in a wrong place: nobody sees that.
bool valise_postgres_read_address(
    const char *text, void *context, void (*body)(void *context, const char *keyword, const char *value));

// MARK: Connections

// One thread uses it at a time.
struct pg_conn;

enum valise_postgres_step {
    VALISE_POSTGRES_FAILED = 0,
    VALISE_POSTGRES_READ,
    VALISE_POSTGRES_WRITE,
    VALISE_POSTGRES_CONNECTED,
};

// Begins to connect, by `count` words with their values; the one named dbname may be a connection string, whose words replace
// those before it and are replaced by those behind it. NULL when memory is short; a connection that failed has words for it,
// with the server's state of five letters.
struct pg_conn *valise_postgres_start(const char *const *keywords, const char *const *values, int count);

// The first answer is that of a connection that was begun: it waits for writing.
enum valise_postgres_step valise_postgres_proceed(struct pg_conn *connection);

// From here on nothing that is sent waits. False on failure.
bool valise_postgres_make_nonblocking(struct pg_conn *connection);

void valise_postgres_finish(struct pg_conn *connection);

// Whether the library takes the connection for a usable one.
bool valise_postgres_is_connected(const struct pg_conn *connection);

// The last failure, in the words of the library or of the server. They last until the connection is used again.
const char *valise_postgres_message(const struct pg_conn *connection);

// -1 where there is none. Another one while it connects, for another address.
int valise_postgres_socket(const struct pg_conn *connection);

// Where it is connected to; a folder for a socket of the file system. They last as long as the connection, and may be NULL.
const char *valise_postgres_host(const struct pg_conn *connection);
const char *valise_postgres_port(const struct pg_conn *connection);
const char *valise_postgres_database(const struct pg_conn *connection);

// Such as 150018; 0 without a connection.
int valise_postgres_server_version(const struct pg_conn *connection);

// What the server says that it is set to, such as server_encoding; NULL for what it does not say.
const char *valise_postgres_parameter(const struct pg_conn *connection, const char *name);

enum valise_postgres_transaction {
    VALISE_POSTGRES_IDLE = 0,
    // A statement is not finished.
    VALISE_POSTGRES_ACTIVE,
    VALISE_POSTGRES_IN_TRANSACTION,
    // In a transaction that can only be rolled back.
    VALISE_POSTGRES_IN_ERROR,
    VALISE_POSTGRES_UNKNOWN,
};
enum valise_postgres_transaction valise_postgres_transaction(const struct pg_conn *connection);

// MARK: Statements

// Values of a statement in their binary form.
struct valise_postgres_values {
    int count;
    // The number of the type of each.
    const uint32_t *types;
    // How many bytes each has; -1 for null.
    const int32_t *sizes;
    // Those of all, one behind the other.
    const uint8_t *bytes;
    // How many there are in all, which is what the sizes come to.
    size_t size;
};

// Each of these gives something to be sent, and answers false on failure. Answers are in the binary form.
bool valise_postgres_prepare(
    struct pg_conn *connection, const char *name, const char *text, const struct valise_postgres_values *values);
bool valise_postgres_execute_prepared(
    struct pg_conn *connection, const char *name, const struct valise_postgres_values *values);
bool valise_postgres_execute(
    struct pg_conn *connection, const char *text, const struct valise_postgres_values *values);
// Several statements in one text, without values and outside of a pipeline.
bool valise_postgres_execute_script(struct pg_conn *connection, const char *text);

bool valise_postgres_enter_pipeline(struct pg_conn *connection);
bool valise_postgres_leave_pipeline(struct pg_conn *connection);
// Ends what fails together in a pipeline.
bool valise_postgres_synchronize(struct pg_conn *connection);

// 0 when everything is sent, 1 when the socket takes no more at the moment, -1 on failure.
int valise_postgres_flush(struct pg_conn *connection);

// Reads what has arrived. False where the connection is lost.
bool valise_postgres_receive(struct pg_conn *connection);

// Whether valise_postgres_next would wait.
bool valise_postgres_is_busy(struct pg_conn *connection);

// MARK: Answers

struct pg_result;

enum valise_postgres_outcome {
    // Done, without rows; also where there was nothing to do.
    VALISE_POSTGRES_DONE = 0,
    VALISE_POSTGRES_ROWS,
    VALISE_POSTGRES_ERROR,
    // The end of what fails together.
    VALISE_POSTGRES_SYNCHRONIZED,
    // Not run, since one before it in the pipeline failed.
    VALISE_POSTGRES_SKIPPED,
    // Anything else, such as a copy, which is not for this.
    VALISE_POSTGRES_OTHER,
};

// The next answer, NULL behind the last one of a statement. Waits where it is busy.
struct pg_result *valise_postgres_next(struct pg_conn *connection);
void valise_postgres_clear(struct pg_result *result);
enum valise_postgres_outcome valise_postgres_outcome(const struct pg_result *result);

// What the server says of an error, NULL where it does not; by the letter of the protocol: 'C' the state of five letters, 'M'
// the message, 'n' the name of a constraint.
const char *valise_postgres_field(const struct pg_result *result, char field);

// What was done, such as `COMMIT`.
const char *valise_postgres_tag(struct pg_result *result);
// How many rows were changed or found, in digits; empty where nobody counts.
const char *valise_postgres_affected(struct pg_result *result);

int valise_postgres_row_count(const struct pg_result *result);
int valise_postgres_column_count(const struct pg_result *result);
const char *valise_postgres_column_name(const struct pg_result *result, int column);
uint32_t valise_postgres_column_type(const struct pg_result *result, int column);
// Whether the column is in the binary form.
bool valise_postgres_column_is_binary(const struct pg_result *result, int column);

// The bytes of a value, which last as long as the result; false for null.
bool valise_postgres_value(
    const struct pg_result *result, int row, int column, const uint8_t **bytes, size_t *size);

// MARK: Cancelling

struct pg_cancel;

// What cancels the running statement from any thread, also when the connection has ended by then. NULL where there is nothing
// to cancel.
struct pg_cancel *valise_postgres_prepare_cancel(struct pg_conn *connection);

// Asks the server to cancel over a connection of its own, and waits until it has taken that. Frees the request.
void valise_postgres_cancel(struct pg_cancel *request);
