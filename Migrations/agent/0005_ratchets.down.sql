-- Takes away the state of end-to-end encryption.

DROP TABLE skipped_messages;
DROP TABLE ratchets;
