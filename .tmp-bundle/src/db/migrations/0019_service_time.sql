-- How far the service's time has come: no process starts behind it. One row.
create table service_time (
  id bigint primary key,
  reached_at bigint not null
);
