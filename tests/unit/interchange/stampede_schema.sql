-- The tables of STAMPEDE as pegasus-wms 5.1.3 makes them in SQLite (Pegasus.db.schema.metadata.create_all).
-- Copyright 2007-2026 University of Southern California; Apache License, Version 2.0.
CREATE TABLE dbversion (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    version_number INTEGER,
    version VARCHAR(50) NOT NULL,
    version_timestamp INTEGER NOT NULL
);
CREATE TABLE workflow (
    wf_id INTEGER NOT NULL,
    wf_uuid VARCHAR(255) NOT NULL,
    dag_file_name VARCHAR(255),
    timestamp NUMERIC(16, 6),
    submit_hostname VARCHAR(255),
    submit_dir TEXT,
    planner_arguments TEXT,
    user VARCHAR(255),
    grid_dn VARCHAR(255),
    planner_version VARCHAR(255),
    dax_label VARCHAR(255),
    dax_version VARCHAR(255),
    dax_file VARCHAR(255),
    db_url TEXT,
    parent_wf_id INTEGER,
    root_wf_id INTEGER,
    PRIMARY KEY (wf_id),
    FOREIGN KEY(parent_wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    CONSTRAINT "UNIQUE_WF_UUID" UNIQUE (wf_uuid)
);
CREATE TABLE rc_lfn (
    lfn_id INTEGER NOT NULL,
    lfn VARCHAR(245) NOT NULL,
    PRIMARY KEY (lfn_id),
    CONSTRAINT "UNIQUE_LFN" UNIQUE (lfn)
);
CREATE TABLE master_workflow (
    wf_id INTEGER NOT NULL,
    wf_uuid VARCHAR(255) NOT NULL,
    dax_label VARCHAR(255),
    dax_version VARCHAR(255),
    dax_file VARCHAR(255),
    dag_file_name VARCHAR(255),
    timestamp NUMERIC(16, 6),
    submit_hostname VARCHAR(255),
    submit_dir TEXT,
    planner_arguments TEXT,
    user VARCHAR(255),
    grid_dn VARCHAR(255),
    planner_version VARCHAR(255),
    db_url TEXT,
    archived BOOLEAN NOT NULL,
    PRIMARY KEY (wf_id),
    CHECK (archived IN (0, 1)),
    CONSTRAINT "UNIQUE_MASTER_WF_UUID" UNIQUE (wf_uuid)
);
CREATE TABLE ensemble (
    id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    created DATETIME NOT NULL,
    updated DATETIME NOT NULL,
    state VARCHAR(6) NOT NULL,
    max_running INTEGER NOT NULL,
    max_planning INTEGER NOT NULL,
    username VARCHAR(100) NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT ensemble_state CHECK (state IN ('ACTIVE', 'HELD', 'PAUSED')),
    CONSTRAINT "UNIQUE_ENSEMBLE" UNIQUE (name, username)
);
CREATE TABLE workflowstate (
    wf_id INTEGER NOT NULL,
    state VARCHAR(19) NOT NULL,
    timestamp NUMERIC(16, 6) NOT NULL,
    restart_count INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    PRIMARY KEY (wf_id, state, timestamp),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    CONSTRAINT workflow_state CHECK (state IN ('WORKFLOW_STARTED', 'WORKFLOW_TERMINATED'))
);
CREATE TABLE workflow_meta (
    wf_id INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    value VARCHAR(255) NOT NULL,
    PRIMARY KEY (wf_id, "key"),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE
);
CREATE TABLE host (
    host_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    site VARCHAR(255) NOT NULL,
    hostname VARCHAR(255) NOT NULL,
    ip VARCHAR(255) NOT NULL,
    uname VARCHAR(255),
    total_memory INTEGER,
    PRIMARY KEY (host_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    CONSTRAINT "UNIQUE_HOST" UNIQUE (wf_id, site, hostname, ip)
);
CREATE TABLE job (
    job_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    exec_job_id VARCHAR(255) NOT NULL,
    submit_file VARCHAR(255) NOT NULL,
    type_desc VARCHAR(14) NOT NULL,
    clustered BOOLEAN NOT NULL,
    max_retries INTEGER NOT NULL,
    executable TEXT NOT NULL,
    argv TEXT,
    task_count INTEGER NOT NULL,
    PRIMARY KEY (job_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    CONSTRAINT job_type_desc CHECK (type_desc IN ('unknown', 'compute', 'stage-in-tx', 'stage-out-tx', 'registration', 'inter-site-tx', 'create-dir', 'staged-compute', 'cleanup', 'chmod', 'dax', 'dag')),
    CHECK (clustered IN (0, 1)),
    CONSTRAINT "UNIQUE_JOB" UNIQUE (wf_id, exec_job_id)
);
CREATE TABLE job_edge (
    wf_id INTEGER NOT NULL,
    parent_exec_job_id VARCHAR(255) NOT NULL,
    child_exec_job_id VARCHAR(255) NOT NULL,
    PRIMARY KEY (wf_id, parent_exec_job_id, child_exec_job_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE
);
CREATE TABLE task_edge (
    wf_id INTEGER NOT NULL,
    parent_abs_task_id VARCHAR(255) NOT NULL,
    child_abs_task_id VARCHAR(255) NOT NULL,
    PRIMARY KEY (wf_id, parent_abs_task_id, child_abs_task_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE
);
CREATE TABLE rc_pfn (
    pfn_id INTEGER NOT NULL,
    lfn_id INTEGER NOT NULL,
    pfn VARCHAR(245) NOT NULL,
    site VARCHAR(245),
    PRIMARY KEY (pfn_id),
    FOREIGN KEY(lfn_id) REFERENCES rc_lfn (lfn_id) ON DELETE CASCADE,
    CONSTRAINT "UNIQUE_PFN" UNIQUE (lfn_id, pfn, site)
);
CREATE TABLE rc_meta (
    lfn_id INTEGER NOT NULL,
    "key" VARCHAR(245) NOT NULL,
    value VARCHAR(245) NOT NULL,
    PRIMARY KEY (lfn_id, "key"),
    FOREIGN KEY(lfn_id) REFERENCES rc_lfn (lfn_id) ON DELETE CASCADE
);
CREATE TABLE master_workflowstate (
    wf_id INTEGER NOT NULL,
    state VARCHAR(19) NOT NULL,
    timestamp NUMERIC(16, 6) NOT NULL,
    restart_count INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    PRIMARY KEY (wf_id, state, timestamp),
    FOREIGN KEY(wf_id) REFERENCES master_workflow (wf_id) ON DELETE CASCADE,
    CONSTRAINT master_workflow_state CHECK (state IN ('WORKFLOW_STARTED', 'WORKFLOW_TERMINATED'))
);
CREATE TABLE ensemble_workflow (
    id INTEGER NOT NULL,
    ensemble_id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    basedir VARCHAR(512) NOT NULL,
    created DATETIME NOT NULL,
    updated DATETIME NOT NULL,
    state VARCHAR(11) NOT NULL,
    priority INTEGER NOT NULL,
    wf_uuid VARCHAR(36),
    submitdir VARCHAR(512),
    plan_command VARCHAR(1024) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(ensemble_id) REFERENCES ensemble (id),
    CONSTRAINT ensemble_wf_state CHECK (state IN ('RUNNING', 'QUEUED', 'SUCCESSFUL', 'FAILED', 'PLAN_FAILED', 'ABORTED', 'PLANNING', 'READY', 'RUN_FAILED')),
    CONSTRAINT "UNIQUE_ENSEMBLE_WORKFLOW" UNIQUE (ensemble_id, name)
);
CREATE TABLE "trigger" (
    id INTEGER NOT NULL,
    ensemble_id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    state VARCHAR(7) NOT NULL,
    workflow TEXT NOT NULL,
    args TEXT,
    type VARCHAR(12) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(ensemble_id) REFERENCES ensemble (id),
    CONSTRAINT trigger_state CHECK (state IN ('STOPPED', 'READY', 'FAILED', 'RUNNING')),
    CONSTRAINT trigger_type CHECK (type IN ('CRON', 'FILE_PATTERN')),
    CONSTRAINT "UNIQUE_TRIGGER" UNIQUE (ensemble_id, name)
);
CREATE TABLE job_instance (
    job_instance_id INTEGER NOT NULL,
    job_id INTEGER NOT NULL,
    host_id INTEGER,
    job_submit_seq INTEGER NOT NULL,
    sched_id VARCHAR(255),
    site VARCHAR(255),
    user VARCHAR(255),
    work_dir TEXT,
    cluster_start NUMERIC(16, 6),
    cluster_duration NUMERIC(10, 3),
    local_duration NUMERIC(10, 3),
    subwf_id INTEGER,
    stdout_file VARCHAR(255),
    stdout_text TEXT,
    stderr_file VARCHAR(255),
    stderr_text TEXT,
    stdin_file VARCHAR(255),
    multiplier_factor INTEGER NOT NULL,
    exitcode INTEGER,
    PRIMARY KEY (job_instance_id),
    FOREIGN KEY(job_id) REFERENCES job (job_id) ON DELETE CASCADE,
    FOREIGN KEY(host_id) REFERENCES host (host_id) ON DELETE SET NULL,
    FOREIGN KEY(subwf_id) REFERENCES workflow (wf_id) ON DELETE SET NULL,
    CONSTRAINT "UNIQUE_JOB_INSTANCE" UNIQUE (job_id, job_submit_seq)
);
CREATE TABLE task (
    task_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    job_id INTEGER,
    abs_task_id VARCHAR(255) NOT NULL,
    transformation TEXT NOT NULL,
    argv TEXT,
    type_desc VARCHAR(255) NOT NULL,
    PRIMARY KEY (task_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    FOREIGN KEY(job_id) REFERENCES job (job_id) ON DELETE SET NULL,
    CONSTRAINT "UNIQUE_TASK" UNIQUE (wf_id, abs_task_id)
);
CREATE TABLE jobstate (
    job_instance_id INTEGER NOT NULL,
    state VARCHAR(255) NOT NULL,
    timestamp NUMERIC(16, 6) NOT NULL,
    jobstate_submit_seq INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (job_instance_id, state, timestamp, jobstate_submit_seq),
    FOREIGN KEY(job_instance_id) REFERENCES job_instance (job_instance_id) ON DELETE CASCADE
);
CREATE TABLE tag (
    tag_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    job_instance_id INTEGER NOT NULL,
    name VARCHAR(255) NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (tag_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    FOREIGN KEY(job_instance_id) REFERENCES job_instance (job_instance_id) ON DELETE CASCADE,
    CONSTRAINT "UNIQUE_TAG" UNIQUE (wf_id, job_instance_id)
);
CREATE TABLE task_meta (
    task_id INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    value VARCHAR(255) NOT NULL,
    PRIMARY KEY (task_id, "key"),
    FOREIGN KEY(task_id) REFERENCES task (task_id) ON DELETE CASCADE
);
CREATE TABLE invocation (
    invocation_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    job_instance_id INTEGER NOT NULL,
    task_submit_seq INTEGER NOT NULL,
    start_time NUMERIC(16, 6) NOT NULL,
    remote_duration NUMERIC(10, 3) NOT NULL,
    remote_cpu_time NUMERIC(10, 3),
    exitcode INTEGER NOT NULL,
    transformation TEXT NOT NULL,
    executable TEXT NOT NULL,
    argv TEXT,
    abs_task_id VARCHAR(255),
    maxrss INTEGER,
    avg_cpu NUMERIC(16, 6),
    PRIMARY KEY (invocation_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    FOREIGN KEY(job_instance_id) REFERENCES job_instance (job_instance_id) ON DELETE CASCADE,
    CONSTRAINT "UNIQUE_INVOCATION" UNIQUE (job_instance_id, task_submit_seq)
);
CREATE TABLE integrity (
    integrity_id INTEGER NOT NULL,
    wf_id INTEGER NOT NULL,
    job_instance_id INTEGER NOT NULL,
    type VARCHAR(7) NOT NULL,
    file_type VARCHAR(6),
    count INTEGER NOT NULL,
    duration NUMERIC(10, 3) NOT NULL,
    PRIMARY KEY (integrity_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    FOREIGN KEY(job_instance_id) REFERENCES job_instance (job_instance_id) ON DELETE CASCADE,
    CONSTRAINT integrity_type_desc CHECK (type IN ('check', 'compute')),
    CONSTRAINT integrity_file_type_desc CHECK (file_type IN ('input', 'output')),
    CONSTRAINT "UNIQUE_INTEGRITY" UNIQUE (job_instance_id, type, file_type)
);
CREATE TABLE workflow_files (
    wf_id INTEGER NOT NULL,
    task_id INTEGER NOT NULL,
    lfn_id INTEGER NOT NULL,
    file_type VARCHAR(255),
    PRIMARY KEY (wf_id, task_id, lfn_id),
    FOREIGN KEY(wf_id) REFERENCES workflow (wf_id) ON DELETE CASCADE,
    FOREIGN KEY(task_id) REFERENCES task (task_id) ON DELETE CASCADE,
    FOREIGN KEY(lfn_id) REFERENCES rc_lfn (lfn_id) ON DELETE CASCADE
);
