/// Functions for names and bodies. `outcome` is a ``PostgresOutcome``; it begins as the status of the chunk, or 2 where there is none.
extension PostgresRecordsSchema {
    static let names = [addRecipients, acknowledge]
    static let bodies = [reserve, complete, release, takeBody]

    /// A name that is taken violates the table's key, and nothing is changed.
    private static let addRecipients = """
        CREATE FUNCTION add_recipients(
            the_chunk bytea, new_ids bytea[], new_kinds bigint[], new_keys bytea[], most bigint,
            the_shard bigint, OUT outcome integer, OUT information text
        ) LANGUAGE plpgsql AS $$
        DECLARE
            found_chunk chunks;
            added bigint := cardinality(new_ids);
            present bigint;
            last_ordinal bigint;
        BEGIN
            SELECT * INTO found_chunk FROM chunks WHERE id = the_chunk FOR UPDATE;
            outcome := coalesce(found_chunk.status, 2);
            information := found_chunk.blocking;
            IF outcome <> 0 THEN RETURN; END IF;
            SELECT count(*) - 1, max(ordinal) INTO present, last_ordinal FROM names WHERE chunk = the_chunk;
            IF present + added > most THEN
                SELECT count(*) INTO present FROM names WHERE id = ANY (new_ids) AND chunk = the_chunk;
                -- All of them may have been added by this same call before.
                outcome := CASE WHEN present = added THEN 3 ELSE 7 END;
                RETURN;
            END IF;
            INSERT INTO names (id, chunk, ordinal, kind, key)
                SELECT given.id, the_chunk, last_ordinal + given.place, given.kind, given.key
                FROM unnest(new_ids, new_kinds, new_keys) WITH ORDINALITY AS given (id, kind, key, place);
            UPDATE counters SET recipients = recipients + added, file_recipients = file_recipients + added
                WHERE shard = the_shard;
        END $$;
        """

    private static let acknowledge = """
        CREATE FUNCTION acknowledge(
            the_recipient bytea, the_shard bigint, OUT outcome integer, OUT information text
        ) LANGUAGE plpgsql AS $$
        DECLARE
            found_chunk chunks;
        BEGIN
            SELECT * INTO found_chunk FROM chunks
                WHERE id = (SELECT chunk FROM names WHERE id = the_recipient AND ordinal > 0) FOR UPDATE;
            outcome := coalesce(found_chunk.status, 2);
            information := found_chunk.blocking;
            IF outcome <> 0 THEN RETURN; END IF;
            DELETE FROM names WHERE id = the_recipient AND chunk = found_chunk.id;
            IF NOT FOUND THEN
                outcome := 2;
                RETURN;
            END IF;
            UPDATE counters SET recipients = recipients - 1, file_download_acks = file_download_acks + 1
                WHERE shard = the_shard;
        END $$;
        """

    /// Whoever frees the space of dead reservations does that before the row of the space is locked. A number whose body is to be
    /// removed is not given once more.
    private static let reserve = """
        CREATE FUNCTION reserve(
            the_chunk bytea, the_upload bigint, the_deadline bigint, quota bigint, dead_before bigint,
            OUT outcome integer, OUT information text, OUT size bigint, OUT digest bytea,
            OUT until bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            found_chunk chunks;
        BEGIN
            SELECT * INTO found_chunk FROM chunks WHERE id = the_chunk FOR UPDATE;
            outcome := coalesce(found_chunk.status, 2);
            information := found_chunk.blocking;
            IF outcome <> 0 THEN RETURN; END IF;
            size := found_chunk.size;
            digest := found_chunk.digest;
            IF found_chunk.upload IS NOT NULL THEN
                outcome := 3;
                RETURN;
            END IF;
            SELECT r.deadline INTO until FROM reservations r
                WHERE r.chunk = the_chunk AND r.upload = the_upload;
            IF FOUND THEN RETURN; END IF;
            PERFORM 1 FROM tombstones t WHERE t.chunk = the_chunk AND t.upload = the_upload;
            IF FOUND THEN
                outcome := 6;
                RETURN;
            END IF;
            IF dead_before IS NOT NULL THEN PERFORM remove_dead(dead_before, NULL); END IF;
            UPDATE space SET total = total + found_chunk.size
                WHERE quota IS NULL OR total + found_chunk.size <= quota;
            IF NOT FOUND THEN
                outcome := 5;
                RETURN;
            END IF;
            until := the_deadline;
            INSERT INTO reservations VALUES (the_chunk, the_upload, found_chunk.size, the_deadline);
        END $$;
        """

    private static let complete = """
        CREATE FUNCTION complete(
            the_chunk bytea, the_upload bigint, the_shard bigint, OUT outcome integer, OUT information text
        ) LANGUAGE plpgsql AS $$
        DECLARE
            found_chunk chunks;
        BEGIN
            SELECT * INTO found_chunk FROM chunks WHERE id = the_chunk FOR UPDATE;
            outcome := coalesce(found_chunk.status, 2);
            information := found_chunk.blocking;
            IF outcome <> 0 THEN RETURN; END IF;
            IF found_chunk.upload IS NOT NULL THEN
                outcome := CASE WHEN found_chunk.upload = the_upload THEN 3 ELSE 4 END;
                RETURN;
            END IF;
            DELETE FROM reservations WHERE chunk = the_chunk AND upload = the_upload;
            IF NOT FOUND THEN
                outcome := 6;
                RETURN;
            END IF;
            UPDATE chunks SET upload = the_upload, was_uploaded = true WHERE id = the_chunk;
            UPDATE counters SET uploaded = uploaded + 1, files_uploaded = files_uploaded + 1
                WHERE shard = the_shard;
        END $$;
        """

    /// Ends a reservation. `leaves`: whether a body may have been left, which is to be removed then.
    private static let release = """
        CREATE FUNCTION release(the_chunk bytea, the_upload bigint, leaves boolean) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE
            freed bigint;
        BEGIN
            DELETE FROM reservations WHERE chunk = the_chunk AND upload = the_upload RETURNING size INTO freed;
            IF leaves THEN
                INSERT INTO tombstones SELECT the_chunk, the_upload
                    WHERE NOT EXISTS (SELECT FROM chunks WHERE id = the_chunk AND upload = the_upload)
                    ON CONFLICT DO NOTHING;
            END IF;
            IF freed IS NOT NULL THEN UPDATE space SET total = total - freed; END IF;
        END $$;
        """

    private static let takeBody = """
        CREATE FUNCTION take_body(the_chunk bytea, the_upload bigint, the_shard bigint) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE
            freed bigint;
        BEGIN
            UPDATE chunks SET upload = NULL WHERE id = the_chunk AND upload = the_upload
                RETURNING size INTO freed;
            IF NOT FOUND THEN RETURN; END IF;
            INSERT INTO tombstones VALUES (the_chunk, the_upload) ON CONFLICT DO NOTHING;
            UPDATE counters SET uploaded = uploaded - 1 WHERE shard = the_shard;
            UPDATE space SET total = total - freed;
        END $$;
        """
}
