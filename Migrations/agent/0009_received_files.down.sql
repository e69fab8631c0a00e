-- Takes away file servers and received files.

DROP TABLE rcv_file_chunk_replicas;
DROP TABLE rcv_file_chunks;
DROP TABLE rcv_files;
DROP TABLE xftp_servers;
