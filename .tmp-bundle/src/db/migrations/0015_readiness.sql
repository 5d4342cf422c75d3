-- One row that nodes write to find out whether writing works.
create table readiness (
  name text primary key,
  written_at bigint not null
);
