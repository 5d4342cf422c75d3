-- Usage by hour, day and month, derived from the ledger.
create table usage_rollup (
  organisation_id text not null,
  granularity text not null check (granularity in ('hour', 'day', 'month')),
  starts_at bigint not null,
  family text not null,
  credential_id text not null,
  requests bigint not null,
  units bigint not null,
  free_units bigint not null,
  credit_pence bigint not null,
  overage_pence bigint not null,
  primary key (organisation_id, granularity, starts_at, family, credential_id)
);

-- The last ledger entry the rollup holds.
create table usage_progress (
  organisation_id text primary key,
  entry_seq bigint not null
);

-- Everything but charges is rare, so a list of it costs charges nothing.
create index ledger_entry_by_kind on ledger_entry (organisation_id, kind, seq) where kind <> 'charge';
