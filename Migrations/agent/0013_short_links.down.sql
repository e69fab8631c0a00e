-- Takes away short links.

DROP INDEX idx_rcv_queues_host_port_link_id;

ALTER TABLE snd_queues DROP COLUMN queue_mode;
ALTER TABLE rcv_queues DROP COLUMN queue_mode;
ALTER TABLE rcv_queues DROP COLUMN link_enc_fixed_data;
ALTER TABLE rcv_queues DROP COLUMN link_priv_sig_key;
ALTER TABLE rcv_queues DROP COLUMN link_key;
ALTER TABLE rcv_queues DROP COLUMN link_id;

DROP TABLE inv_short_links;
