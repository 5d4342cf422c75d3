-- A chain of hashes over the ledger and over the audit log of each organisation, and anchors that hold its heads.
-- Null in entries from before there were hashes.
alter table ledger_entry add column hash text;
-- The hash of the last entry; null while no entry has one.
alter table billing_account add column entry_hash text;

-- The number of an entry among those of its organisation; null in entries from before there were numbers and hashes.
alter table audit_entry add column seq bigint;
alter table audit_entry add column hash text;
create unique index audit_entry_by_seq on audit_entry (organisation_id, seq);
-- The number and the hash of the last entry.
create table audit_chain (
  organisation_id text primary key,
  seq bigint not null,
  hash text
);
insert into audit_chain select organisation_id, 0, null from audit_entry group by organisation_id;

-- A node of an earlier version that still runs must not write entries that no chain holds.
-- only postgres
alter table ledger_entry add constraint ledger_entry_has_hash check (hash is not null) not valid
-- end
-- only postgres
alter table audit_entry add constraint audit_entry_has_hash check (seq is not null and hash is not null) not valid
-- end

create table anchor (
  number bigint primary key,
  made_at bigint not null,
  -- How many rows of anchor_head belong to it, and a hash over theirs.
  heads bigint not null,
  heads_hash text not null,
  -- Over the hash of the anchor before it and the columns above.
  hash text not null,
  -- Made from the hash with a key that comes from the server's secret.
  mac text not null
);

-- The heads of an organisation's chains, in every anchor before which they had moved.
create table anchor_head (
  number bigint not null,
  organisation_id text not null,
  ledger_seq bigint not null,
  ledger_hash text,
  audit_seq bigint not null,
  audit_hash text,
  -- Only where it is the organisation's first: how many entries have no hash, and a hash over them.
  older_ledger_count bigint,
  older_ledger_hash text,
  older_audit_count bigint,
  older_audit_hash text,
  -- Over the columns above.
  hash text not null,
  primary key (number, organisation_id)
);
create index anchor_head_by_organisation on anchor_head (organisation_id, number);
