extension PostgresRecordsSchema {
    static let tables = [chunkTable, nameTable, bodyTables, rowTables]

    /// `status`: 0 active, 1 blocked, 2 treated as unknown. `upload`: which upload's body is here, as the bits of its number; null
    /// where none is. `last_download`: the day, counted from 1970; 0 for never. Space is left on pages, so that a body that comes and
    /// a download that is noted need no new entries in indexes.
    private static let chunkTable = """
        CREATE TABLE chunks (
            id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
            size bigint NOT NULL CHECK (size >= 0),
            digest bytea NOT NULL,
            hour bigint NOT NULL,
            status integer NOT NULL CHECK (status BETWEEN 0 AND 2),
            blocking text CHECK ((status = 1) = (blocking IS NOT NULL)),
            upload bigint,
            was_uploaded boolean NOT NULL DEFAULT false,
            last_download bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 85);
        CREATE INDEX chunks_hour ON chunks (hour);
        """

    /// Names of senders and of recipients in one table: that is how no name is ever given twice. A sender has the chunk's own name and
    /// the ordinal 0, recipients count from 1. `kind`: of the key, see `StoredAlgorithm`.
    private static let nameTable = """
        CREATE TABLE names (
            id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
            chunk bytea NOT NULL REFERENCES chunks ON DELETE CASCADE,
            ordinal bigint NOT NULL,
            kind bigint NOT NULL,
            key bytea NOT NULL,
            UNIQUE (chunk, ordinal),
            CHECK (ordinal > 0 OR id = chunk)
        );
        """

    /// Uploads that are under way, until their deadlines, and names of bodies that are to be removed.
    private static let bodyTables = """
        CREATE TABLE reservations (
            chunk bytea NOT NULL,
            upload bigint NOT NULL,
            size bigint NOT NULL,
            deadline bigint NOT NULL,
            PRIMARY KEY (chunk, upload)
        );
        CREATE INDEX reservations_deadline ON reservations (deadline, chunk, upload);
        CREATE TABLE tombstones (
            chunk bytea NOT NULL,
            upload bigint NOT NULL,
            PRIMARY KEY (chunk, upload)
        );
        """

    /// The space of bodies that are here and of those that are coming in, in one number: a body that arrives does not change it, so
    /// that the end of an upload does not wait for others. What is counted since the last midnight, and what there is, are sums over
    /// all shards; one of these may be negative. `days`: when the day began, in seconds since 1970.
    private static let rowTables = """
        CREATE TABLE space (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            total bigint NOT NULL CHECK (total >= 0)
        );
        INSERT INTO space (total) VALUES (0);
        CREATE TABLE counters (
            shard bigint PRIMARY KEY,
            chunks bigint NOT NULL DEFAULT 0,
            uploaded bigint NOT NULL DEFAULT 0,
            recipients bigint NOT NULL DEFAULT 0,
            files_created bigint NOT NULL DEFAULT 0,
            file_recipients bigint NOT NULL DEFAULT 0,
            files_uploaded bigint NOT NULL DEFAULT 0,
            files_expired bigint NOT NULL DEFAULT 0,
            files_deleted bigint NOT NULL DEFAULT 0,
            files_blocked bigint NOT NULL DEFAULT 0,
            file_downloads bigint NOT NULL DEFAULT 0,
            file_download_acks bigint NOT NULL DEFAULT 0,
            downloaded_day bigint NOT NULL DEFAULT 0,
            downloaded_week bigint NOT NULL DEFAULT 0,
            downloaded_month bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 20);
        INSERT INTO counters (shard) SELECT generate_series(0, \(shardCount - 1));
        CREATE TABLE days (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            began bigint NOT NULL
        );
        """
}
