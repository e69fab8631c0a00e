-- Takes away renewal of ratchets and post-quantum keys.

ALTER TABLE messages DROP COLUMN pq_encryption;
ALTER TABLE ratchets DROP COLUMN pq_pub_kem;
ALTER TABLE ratchets DROP COLUMN pq_priv_kem;
ALTER TABLE connections DROP COLUMN pq_support;
ALTER TABLE connections DROP COLUMN ratchet_sync_state;

DROP TABLE processed_ratchet_key_hashes;
DROP TABLE encrypted_rcv_message_hashes;
