-- Takes away commands and deliveries.

DROP INDEX idx_snd_messages_snd_message_body_id;

ALTER TABLE snd_messages DROP COLUMN snd_message_body_id;

DROP TABLE snd_message_deliveries;
DROP TABLE snd_message_bodies;
DROP TABLE commands;
