-- Takes away connections, addresses and contact requests.

DROP INDEX idx_contacts_contact_request_id;

ALTER TABLE contacts DROP COLUMN contact_request_id;

DROP TABLE connections_sync;
DROP TABLE connections;
DROP TABLE contact_requests;
DROP TABLE user_contact_links;
