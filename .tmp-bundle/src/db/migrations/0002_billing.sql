-- Accounts, the append-only ledger, and answers kept for retries. Amounts are pence, times milliseconds.
create table billing_account (
  organisation_id text primary key references organisation (id),
  plan_id text not null,
  -- The calendar month, UTC, the account was last brought to: YYYY-MM.
  period text not null,
  included_pence bigint not null check (included_pence >= 0),
  prepaid_pence bigint not null check (prepaid_pence >= 0),
  overage_pence bigint not null check (overage_pence >= 0),
  -- Of this period.
  included_used_pence bigint not null,
  free_units_used bigint not null,
  -- The number of the last ledger entry.
  entry_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);

-- No foreign key: it would be checked for every charge, and `ledger verify` finds an entry without its account.
create table ledger_entry (
  organisation_id text not null,
  seq bigint not null,
  id text not null,
  kind text not null check (kind in ('grant', 'expire', 'charge', 'credit', 'plan', 'refund')),
  period text not null,
  plan_id text not null,
  family text,
  units bigint not null,
  free_units bigint not null,
  unit_price_pence bigint not null,
  included_delta_pence bigint not null,
  prepaid_delta_pence bigint not null,
  overage_delta_pence bigint not null,
  included_after_pence bigint not null,
  prepaid_after_pence bigint not null,
  overage_after_pence bigint not null,
  credential_id text,
  request_id text,
  -- Names what was posted (a payment, an entry refunded): a second posting of the same thing is refused.
  reference text,
  detail text,
  created_at bigint not null,
  primary key (organisation_id, seq)
);

create index ledger_entry_by_time on ledger_entry (organisation_id, created_at);

create unique index ledger_entry_by_reference on ledger_entry (organisation_id, reference) where reference is not null;

-- only sqlite
create trigger ledger_entry_not_updated before update on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
-- end
-- only sqlite
create trigger ledger_entry_not_deleted before delete on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
-- end
-- only postgres
create function refuse_ledger_change() returns trigger language plpgsql as
$$ begin raise exception 'the ledger is append-only'; end $$;
-- end
-- only postgres
create trigger ledger_entry_not_changed before update or delete or truncate on ledger_entry
for each statement execute function refuse_ledger_change();
-- end

create table stored_response (
  organisation_id text not null,
  key text not null,
  request_hash text not null,
  status bigint not null,
  body text not null,
  created_at bigint not null,
  primary key (organisation_id, key)
);

create index stored_response_by_time on stored_response (created_at);
