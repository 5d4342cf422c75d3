-- The last good copy of each feed, in parts, for the node that runs the feeds job next. Empty on SQLite, where all
-- processes share one folder.
-- only sqlite
create table feed_copy (
  feed_id text not null references feed (id) on delete cascade,
  number bigint not null,
  fetched_at bigint not null,
  sha256 text not null,
  parts bigint not null,
  data blob not null,
  primary key (feed_id, number)
);
-- end
-- only postgres
create table feed_copy (
  feed_id text not null references feed (id) on delete cascade,
  number bigint not null,
  -- That of the feed's row: a copy of another fetch is not the one that the row describes.
  fetched_at bigint not null,
  -- Of the whole file.
  sha256 text not null,
  parts bigint not null,
  data bytea not null,
  primary key (feed_id, number)
);
-- end
