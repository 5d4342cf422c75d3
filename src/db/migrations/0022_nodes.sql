-- The nodes that run, each with its last figures as JSON, so that any node can show all of them. A node that stops takes
-- its row away; the row of one that died stays for a while.
create table node (
  id text primary key,
  name text not null,
  role text not null,
  version text not null,
  started_at bigint not null,
  seen_at bigint not null,
  figures text not null
);

-- How scheduled work fares, whichever node does it.
create table job_run (
  name text primary key,
  node text not null,
  started_at bigint not null,
  finished_at bigint not null,
  succeeded_at bigint,
  failed_at bigint,
  error text
);
