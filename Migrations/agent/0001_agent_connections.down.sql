-- Takes away users, servers and connections.

DROP TABLE connections;
DROP TABLE servers;
DROP TABLE users;
