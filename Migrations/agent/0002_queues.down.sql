-- Takes away the queues of connections.

DROP TABLE snd_queues;
DROP TABLE rcv_queues;
