-- Jobs, what they need, and who has them (Documentation/formats/jobs.md).

CREATE TABLE jobs (
    job_id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    payload BLOB NOT NULL,
    unique_key TEXT,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'running', 'needsPerson', 'finished', 'failed', 'cancelled')),
    attempts INTEGER NOT NULL DEFAULT 0,
    most_attempts INTEGER NOT NULL,
    losses INTEGER NOT NULL DEFAULT 0,
    open_needs INTEGER NOT NULL DEFAULT 0,
    due_boot TEXT,
    due_since_boot INTEGER NOT NULL,
    due_wall INTEGER NOT NULL,
    due_pause INTEGER NOT NULL,
    token INTEGER NOT NULL DEFAULT 0,
    cancelling INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    failed_by INTEGER,
    progress_done INTEGER,
    progress_total INTEGER,
    progress_text TEXT,
    checkpoint BLOB,
    result BLOB,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

-- With all that is asked of them, so that many that pause are passed over without a look at their rows.
CREATE INDEX idx_jobs_ready ON jobs (queue, priority DESC, job_id, due_since_boot, kind, state, open_needs)
    WHERE state = 'waiting' AND open_needs = 0;
CREATE INDEX idx_jobs_state ON jobs (state);
CREATE INDEX idx_jobs_due_boot ON jobs (due_boot) WHERE state = 'waiting' AND due_boot IS NOT NULL;
CREATE UNIQUE INDEX idx_jobs_unique ON jobs (kind, unique_key)
    WHERE unique_key IS NOT NULL AND state IN ('waiting', 'running', 'needsPerson');

CREATE TABLE job_needs (
    job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE,
    needed_job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE RESTRICT,
    PRIMARY KEY (job_id, needed_job_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_job_needs_needed ON job_needs (needed_job_id);

CREATE TABLE job_leases (
    job_id INTEGER PRIMARY KEY REFERENCES jobs (job_id) ON DELETE RESTRICT,
    token INTEGER NOT NULL,
    process INTEGER NOT NULL,
    process_start INTEGER NOT NULL,
    process_space TEXT NOT NULL,
    boot TEXT NOT NULL,
    until_awake INTEGER NOT NULL
) STRICT;
