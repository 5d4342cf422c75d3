-- Usage of all families and credentials together, so that a look at the whole reads one row per hour, day or month.
create table usage_total (
  organisation_id text not null,
  granularity text not null check (granularity in ('hour', 'day', 'month')),
  starts_at bigint not null,
  requests bigint not null,
  units bigint not null,
  free_units bigint not null,
  credit_pence bigint not null,
  overage_pence bigint not null,
  primary key (organisation_id, granularity, starts_at)
);

-- Both are derived from the ledger: made anew, they begin together.
delete from usage_rollup;
delete from usage_progress;
