-- Takes away notifications.

ALTER TABLE rcv_queues DROP COLUMN rcv_ntf_dh_secret;
ALTER TABLE rcv_queues DROP COLUMN ntf_id;
ALTER TABLE rcv_queues DROP COLUMN ntf_private_key;
ALTER TABLE rcv_queues DROP COLUMN ntf_public_key;

DROP TABLE ntf_subscriptions;
DROP TABLE ntf_tokens;
DROP TABLE ntf_servers;
