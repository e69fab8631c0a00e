-- Takes away statistics, tokens to be deleted and redirections.

DROP INDEX idx_rcv_files_redirect_id;

ALTER TABLE snd_files DROP COLUMN redirect_digest;
ALTER TABLE snd_files DROP COLUMN redirect_size;
ALTER TABLE rcv_files DROP COLUMN redirect_digest;
ALTER TABLE rcv_files DROP COLUMN redirect_size;
ALTER TABLE rcv_files DROP COLUMN redirect_entity_id;
ALTER TABLE rcv_files DROP COLUMN redirect_id;

DROP TABLE ntf_tokens_to_delete;
DROP TABLE servers_stats;
