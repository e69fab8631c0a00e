-- Takes away calls, commands and probes.

DROP TABLE received_probes;
DROP TABLE sent_probe_hashes;
DROP TABLE sent_probes;
DROP TABLE commands;
DROP TABLE calls;
