-- Numbers for queues, so that a connection can hold several and move from one to the next.

ALTER TABLE rcv_queues ADD COLUMN rcv_queue_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rcv_queues ADD COLUMN rcv_primary INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rcv_queues ADD COLUMN replace_rcv_queue_id INTEGER;
ALTER TABLE rcv_queues ADD COLUMN switch_status TEXT;
ALTER TABLE snd_queues ADD COLUMN snd_queue_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE snd_queues ADD COLUMN snd_primary INTEGER NOT NULL DEFAULT 0;
ALTER TABLE snd_queues ADD COLUMN replace_snd_queue_id INTEGER;
ALTER TABLE snd_queues ADD COLUMN switch_status TEXT;

UPDATE rcv_queues
SET rcv_queue_id = 1 + (
    SELECT count(*)
    FROM rcv_queues AS earlier
    WHERE earlier.conn_id = rcv_queues.conn_id
        AND (earlier.host, earlier.port, earlier.rcv_id)
            < (rcv_queues.host, rcv_queues.port, rcv_queues.rcv_id)
);

UPDATE rcv_queues
SET rcv_primary = 1
WHERE rcv_queue_id = 1;

UPDATE snd_queues
SET snd_queue_id = 1 + (
    SELECT count(*)
    FROM snd_queues AS earlier
    WHERE earlier.conn_id = snd_queues.conn_id
        AND (earlier.host, earlier.port, earlier.snd_id)
            < (snd_queues.host, snd_queues.port, snd_queues.snd_id)
);

UPDATE snd_queues
SET snd_primary = 1
WHERE snd_queue_id = 1;

CREATE UNIQUE INDEX idx_rcv_queues_conn_id_rcv_queue_id ON rcv_queues (conn_id, rcv_queue_id);
CREATE UNIQUE INDEX idx_snd_queues_conn_id_snd_queue_id ON snd_queues (conn_id, snd_queue_id);
