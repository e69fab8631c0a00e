-- Takes away sent files.

DROP TABLE deleted_snd_chunk_replicas;
DROP TABLE snd_file_chunk_replica_recipients;
DROP TABLE snd_file_chunk_replicas;
DROP TABLE snd_file_chunks;
DROP TABLE snd_files;
