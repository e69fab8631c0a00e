-- Takes away linked devices and post-quantum states.

ALTER TABLE connections DROP COLUMN pq_rcv_enabled;
ALTER TABLE connections DROP COLUMN pq_snd_enabled;
ALTER TABLE connections DROP COLUMN pq_encryption;
ALTER TABLE connections DROP COLUMN pq_support;

DROP TABLE remote_controllers;
DROP TABLE remote_hosts;
