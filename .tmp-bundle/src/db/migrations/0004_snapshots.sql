-- Compiled intelligence. One row is current; the one before it stays for a rollback.
create table snapshot (
  version text primary key,
  built_at bigint not null,
  bytes bigint not null,
  chunks bigint not null,
  published_at bigint not null,
  -- Counts every publication and rollback; the highest is current.
  sequence bigint not null unique
);

-- The file itself, for nodes that did not compile it. Empty on SQLite, where all processes share one folder.
-- only sqlite
create table snapshot_chunk (
  version text not null references snapshot (version) on delete cascade,
  number bigint not null,
  data blob not null,
  primary key (version, number)
);
-- end
-- only postgres
create table snapshot_chunk (
  version text not null references snapshot (version) on delete cascade,
  number bigint not null,
  data bytea not null,
  primary key (version, number)
);
-- end
