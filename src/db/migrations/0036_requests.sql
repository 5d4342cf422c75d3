-- Answered requests, some hundred in each row, packed (src/support/requests.ts). Ids of requests begin with their time, so the
-- primary key is the order of time.
create table request_batch (
  first_id text primary key,
  last_id text not null,
  packed text not null
);
-- only postgres
alter table request_batch alter column first_id type text collate "C", alter column last_id type text collate "C";
-- end

-- One row while the operator has closed the service.
create table maintenance (
  id bigint primary key check (id = 1),
  message text not null,
  started_at bigint not null,
  -- When the operator expects to open it again.
  until_at bigint
);
