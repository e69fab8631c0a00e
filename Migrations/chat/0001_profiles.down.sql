-- Takes away user profiles, contacts and their names.

DROP TABLE display_names;
DROP TABLE contacts;
DROP TABLE contact_profiles;
DROP TABLE users;
