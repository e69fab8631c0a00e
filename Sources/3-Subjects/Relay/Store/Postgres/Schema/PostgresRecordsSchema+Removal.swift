extension PostgresRecordsSchema {
    static let removal = [removeDead, removeChunk, expireBatch]
    static let counting = [noteDownloads]

    /// Ends reservations whose deadline has passed; `most` is null for all of them.
    private static let removeDead = """
        CREATE FUNCTION remove_dead(dead_before bigint, most bigint) RETURNS bigint
        LANGUAGE plpgsql AS $$
        DECLARE
            removed bigint;
            freed bigint;
        BEGIN
            WITH dead AS (
                SELECT chunk, upload FROM reservations WHERE deadline < dead_before
                    ORDER BY deadline, chunk, upload LIMIT most FOR UPDATE
            ), gone AS (
                DELETE FROM reservations r USING dead
                    WHERE r.chunk = dead.chunk AND r.upload = dead.upload
                    RETURNING r.chunk, r.upload, r.size
            ), marked AS (
                INSERT INTO tombstones SELECT chunk, upload FROM gone ON CONFLICT DO NOTHING
            )
            SELECT count(*), coalesce(sum(size), 0) INTO removed, freed FROM gone;
            IF removed > 0 THEN UPDATE space SET total = total - freed; END IF;
            RETURN removed;
        END $$;
        """

    /// Removes a chunk, or only its body where it is blocked. Its sender's name is given, or that of a recipient by the operator.
    private static let removeChunk = """
        CREATE FUNCTION remove_chunk(
            the_sender bytea, the_recipient bytea, new_blocking text, the_shard bigint,
            OUT outcome integer, OUT information text, OUT removed_chunk bytea, OUT removed_upload bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            found_chunk chunks;
            named bigint;
            here bigint;
        BEGIN
            SELECT * INTO found_chunk FROM chunks
                WHERE id = coalesce(
                    the_sender, (SELECT chunk FROM names WHERE id = the_recipient AND ordinal > 0))
                FOR UPDATE;
            outcome := coalesce(found_chunk.status, 2);
            information := found_chunk.blocking;
            IF the_sender IS NULL AND found_chunk.id IS NOT NULL THEN
                PERFORM 1 FROM names WHERE id = the_recipient AND chunk = found_chunk.id;
                outcome := CASE WHEN FOUND THEN 0 ELSE 2 END;
            END IF;
            IF outcome <> 0 THEN RETURN; END IF;
            removed_chunk := found_chunk.id;
            removed_upload := found_chunk.upload;
            here := CASE WHEN removed_upload IS NULL THEN 0 ELSE 1 END;
            IF here = 1 THEN
                INSERT INTO tombstones VALUES (removed_chunk, removed_upload) ON CONFLICT DO NOTHING;
            END IF;
            IF new_blocking IS NULL THEN
                SELECT count(*) - 1 INTO named FROM names WHERE chunk = removed_chunk;
                DELETE FROM chunks WHERE id = removed_chunk;
                UPDATE counters SET chunks = chunks - 1, uploaded = uploaded - here,
                    recipients = recipients - named, files_deleted = files_deleted + 1
                    WHERE shard = the_shard;
            ELSE
                UPDATE chunks SET status = 1, blocking = new_blocking, upload = NULL
                    WHERE id = removed_chunk;
                UPDATE counters SET uploaded = uploaded - here, files_blocked = files_blocked + 1
                    WHERE shard = the_shard;
            END IF;
            IF here = 1 THEN UPDATE space SET total = total - found_chunk.size; END IF;
        END $$;
        """

    /// Removes chunks that were created before an hour, at most so many. `seen` is how many there were: others may have removed some
    /// of them meanwhile.
    private static let expireBatch = """
        CREATE FUNCTION expire_batch(
            first_young_hour bigint, most bigint, the_shard bigint, OUT seen bigint, OUT removed bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            old_ids bytea[];
            named bigint;
            here bigint;
            freed bigint;
        BEGIN
            removed := 0;
            old_ids := ARRAY(
                SELECT id FROM chunks WHERE hour < first_young_hour ORDER BY hour LIMIT most);
            seen := cardinality(old_ids);
            IF seen = 0 THEN RETURN; END IF;
            PERFORM 1 FROM chunks WHERE id = ANY (old_ids) ORDER BY id FOR UPDATE;
            SELECT count(*) INTO named FROM names WHERE chunk = ANY (old_ids) AND ordinal > 0;
            WITH gone AS (
                DELETE FROM chunks WHERE id = ANY (old_ids) RETURNING id, upload, size
            ), marked AS (
                INSERT INTO tombstones SELECT id, upload FROM gone WHERE upload IS NOT NULL
                    ON CONFLICT DO NOTHING
            )
            SELECT count(*), count(upload), coalesce(sum(size) FILTER (WHERE upload IS NOT NULL), 0)
                INTO removed, here, freed FROM gone;
            UPDATE counters SET chunks = chunks - removed, uploaded = uploaded - here,
                recipients = recipients - named, files_expired = files_expired + removed
                WHERE shard = the_shard;
            IF freed > 0 THEN UPDATE space SET total = total - freed; END IF;
        END $$;
        """

    /// Counts downloads of one day. Weeks begin on Mondays; 1970 began on a Thursday (see `StoreCounters.Day`). Of a chunk that has gone
    /// meanwhile nobody knows whether it was downloaded before on this day.
    private static let noteDownloads = """
        CREATE FUNCTION note_downloads(
            noted_ids bytea[], downloads bigint, today bigint, the_shard bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            days_more bigint;
            weeks_more bigint;
            months_more bigint;
        BEGIN
            PERFORM 1 FROM chunks WHERE id = ANY (noted_ids) ORDER BY id FOR UPDATE;
            WITH before AS (
                SELECT id, last_download FROM chunks WHERE id = ANY (noted_ids) AND last_download <> today
            ), noted AS (
                UPDATE chunks SET last_download = today FROM before WHERE chunks.id = before.id
                    RETURNING before.last_download AS day
            )
            SELECT count(*), count(*) FILTER (WHERE (day + 3) / 7 <> (today + 3) / 7),
                count(*) FILTER (WHERE date_trunc('month', date '1970-01-01' + day::integer)
                    <> date_trunc('month', date '1970-01-01' + today::integer))
                INTO days_more, weeks_more, months_more FROM noted;
            UPDATE counters SET file_downloads = file_downloads + downloads,
                downloaded_day = downloaded_day + days_more,
                downloaded_week = downloaded_week + weeks_more,
                downloaded_month = downloaded_month + months_more
                WHERE shard = the_shard;
        END $$;
        """
}
