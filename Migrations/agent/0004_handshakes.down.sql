-- Takes away pending confirmations and invitations.

DROP TABLE conn_invitations;
DROP TABLE conn_confirmations;
