-- Takes away messages in transit.

DROP TABLE snd_messages;
DROP TABLE rcv_messages;
DROP TABLE messages;
