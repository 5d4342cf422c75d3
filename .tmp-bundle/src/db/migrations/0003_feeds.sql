-- Feeds: what the operator wants, and what is known about the last copy of each.
create table feed (
  id text primary key,
  -- The catalogue entry as JSON.
  definition text not null,
  -- Folder that relative addresses are looked for in; null for feeds from the network.
  base_dir text,
  enabled bigint not null,
  -- The last good copy.
  rows bigint,
  junk text,
  fetched_at bigint,
  checked_at bigint,
  -- Validators of conditional requests, per address, as JSON.
  validators text,
  -- Trouble since that copy.
  failures bigint not null,
  last_error text,
  last_error_at bigint,
  -- A copy that shrank or grew too much to be taken unasked, as JSON.
  held text,
  next_due_at bigint not null,
  updated_at bigint not null
);
