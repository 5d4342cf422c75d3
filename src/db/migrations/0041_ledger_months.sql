-- The entries of each month by kind, family and price: a statement adds up these rows instead of every entry. Derived from the
-- ledger, like usage; month_seq says how far. A node of the version before leaves both alone.
create table ledger_month (
  organisation_id text not null,
  period text not null,
  kind text not null,
  -- Empty for an entry without one.
  family text not null,
  unit_price_pence bigint not null,
  entries bigint not null,
  units bigint not null,
  free_units bigint not null,
  included_delta_pence bigint not null,
  prepaid_delta_pence bigint not null,
  overage_delta_pence bigint not null,
  primary key (organisation_id, period, kind, family, unit_price_pence)
);

alter table usage_progress add column month_seq bigint not null default 0;
