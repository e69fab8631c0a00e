-- Takes away what moving of queues needs.

DROP INDEX idx_snd_queues_conn_id_snd_queue_id;
DROP INDEX idx_rcv_queues_conn_id_rcv_queue_id;

ALTER TABLE snd_queues DROP COLUMN switch_status;
ALTER TABLE snd_queues DROP COLUMN replace_snd_queue_id;
ALTER TABLE snd_queues DROP COLUMN snd_primary;
ALTER TABLE snd_queues DROP COLUMN snd_queue_id;
ALTER TABLE rcv_queues DROP COLUMN switch_status;
ALTER TABLE rcv_queues DROP COLUMN replace_rcv_queue_id;
ALTER TABLE rcv_queues DROP COLUMN rcv_primary;
ALTER TABLE rcv_queues DROP COLUMN rcv_queue_id;
