DROP TABLE job_leases;
DROP TABLE job_needs;
DROP TABLE jobs;
