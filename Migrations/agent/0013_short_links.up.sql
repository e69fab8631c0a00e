-- Short links to connections, their keys and data, and the mode of queues.

CREATE TABLE inv_short_links (
    inv_short_link_id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    server_key_hash BLOB,
    link_id BLOB NOT NULL,
    link_key BLOB NOT NULL,
    snd_private_key BLOB NOT NULL,
    snd_id BLOB,
    UNIQUE (host, port, link_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port) ON DELETE RESTRICT ON UPDATE CASCADE
) STRICT;

ALTER TABLE rcv_queues ADD COLUMN link_id BLOB;
ALTER TABLE rcv_queues ADD COLUMN link_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN link_priv_sig_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN link_enc_fixed_data BLOB;
ALTER TABLE rcv_queues ADD COLUMN queue_mode TEXT;
ALTER TABLE snd_queues ADD COLUMN queue_mode TEXT;

CREATE UNIQUE INDEX idx_rcv_queues_host_port_link_id ON rcv_queues (host, port, link_id);
