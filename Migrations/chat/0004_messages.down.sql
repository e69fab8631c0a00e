-- Takes away wire messages and their deliveries.

DROP TABLE pending_group_messages;
DROP TABLE msg_deliveries;
DROP TABLE messages;
