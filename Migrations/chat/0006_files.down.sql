-- Takes away files and transfers.

DROP TABLE rcv_file_chunks;
DROP TABLE rcv_files;
DROP TABLE snd_files;
DROP TABLE extra_xftp_file_descriptions;
DROP TABLE xftp_file_descriptions;
DROP TABLE files;
