-- Takes away notices of servers.

DROP INDEX idx_rcv_queues_client_notice_id;

ALTER TABLE rcv_queues DROP COLUMN client_notice_id;

DROP TABLE client_notices;
