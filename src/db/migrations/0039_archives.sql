-- Archives: months of the ledger whose charges are in files (src/archive, src/billing/ledger/archives.ts).
create table archive (
  number bigint primary key,
  -- YYYY-MM.
  month text not null,
  made_at bigint not null,
  -- The name of the file, its bytes, its ledger entries, and the SHA-256 of its lines.
  file text not null,
  bytes bigint not null,
  entries bigint not null,
  content text not null,
  -- How many rows of archive_head belong to it, and a hash over theirs.
  heads bigint not null,
  heads_hash text not null,
  -- Over the hash of the archive before it and the columns above.
  hash text not null,
  -- Made from the hash with a key that comes from the server's secret.
  mac text not null,
  -- When the last row was removed; null while rows are left.
  removed_at bigint
);

-- One for each organisation with entries in the archive.
create table archive_head (
  organisation_id text not null,
  number bigint not null,
  -- The archive has the entries after the first number up to the second.
  after_seq bigint not null,
  ledger_seq bigint not null,
  ledger_hash text not null,
  -- Over the entries of the archive that stay in the database.
  stays_hash text not null,
  -- Over the columns above and the rows of archived_charge.
  hash text not null,
  primary key (organisation_id, ledger_seq)
);
create unique index archive_head_by_number on archive_head (number, organisation_id);

-- The sums of the charges that are in an archive and no longer in the database.
create table archived_charge (
  organisation_id text not null,
  -- That of archive_head.
  ledger_seq bigint not null,
  month text not null,
  family text not null,
  unit_price_pence bigint not null,
  requests bigint not null,
  units bigint not null,
  free_units bigint not null,
  included_delta_pence bigint not null,
  prepaid_delta_pence bigint not null,
  overage_delta_pence bigint not null,
  primary key (organisation_id, ledger_seq, month, family, unit_price_pence)
);

-- The only removal that the ledger allows: a charge that an archive has. The last entry of an archive stays.
-- only sqlite
drop trigger ledger_entry_not_deleted
-- end
-- only sqlite
create trigger ledger_entry_not_deleted before delete on ledger_entry
when old.kind <> 'charge' or old.hash is null
  or exists (select 1 from archive_head h where h.organisation_id = old.organisation_id and h.ledger_seq = old.seq)
  or not exists (select 1 from archive_head h where h.organisation_id = old.organisation_id and h.ledger_seq > old.seq)
begin select raise(abort, 'the ledger is append-only'); end;
-- end
-- only postgres
create function refuse_ledger_delete() returns trigger language plpgsql as
$$ begin
  if old.kind <> 'charge' or old.hash is null
    or exists (select 1 from archive_head h where h.organisation_id = old.organisation_id and h.ledger_seq = old.seq)
    or not exists (select 1 from archive_head h where h.organisation_id = old.organisation_id and h.ledger_seq > old.seq)
  then raise exception 'the ledger is append-only'; end if;
  return old;
end $$;
-- end
-- only postgres
drop trigger ledger_entry_not_changed on ledger_entry
-- end
-- only postgres
create trigger ledger_entry_not_changed before update or truncate on ledger_entry
for each statement execute function refuse_ledger_change();
-- end
-- only postgres
create trigger ledger_entry_only_archived before delete on ledger_entry
for each row execute function refuse_ledger_delete();
-- end
