-- What strangers begin is bounded: by whom it was begun ("address" and a tag of it, or "client" and its id), as long as it
-- is nobody's. The count of those that have not ended needs no more than the index.
alter table oauth_record add column begun_by text;

create index oauth_record_by_beginner on oauth_record (begun_by, purge_at) where begun_by is not null;

-- A client's living tokens are counted.
drop index oauth_record_by_client;
create index oauth_record_by_client on oauth_record (client_id, kind, expires_at) where client_id is not null;
