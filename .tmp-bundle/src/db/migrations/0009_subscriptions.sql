-- Subscriptions, invoices, checkouts and alerts; and the ledger learns that overage was settled.
create table subscription (
  organisation_id text primary key references organisation (id),
  status text not null check (status in ('active', 'past_due', 'ended')),
  provider text not null,
  -- From the next month on; null: the plan stays.
  next_plan_id text,
  ends_at_period_end bigint not null,
  started_at bigint not null,
  -- When it stopped, unpaid or ended; null while it runs.
  stopped_at bigint,
  -- The last month whose price was invoiced, and the last whose overage was.
  billed_period text not null,
  closed_period text not null,
  -- The provider's names for the payer and the saved card.
  payer text,
  payment_method text,
  updated_at bigint not null
);

create index subscription_by_closed on subscription (closed_period);

create table invoice (
  id text primary key,
  organisation_id text not null references organisation (id),
  -- Counts an organisation's invoices without a gap.
  number bigint not null,
  kind text not null check (kind in ('subscription', 'top_up')),
  state text not null check (state in ('open', 'paid', 'void')),
  -- JSON array of {kind, month, description, amount_pence}.
  lines text not null,
  total_pence bigint not null check (total_pence > 0),
  -- Of the total, overage: settling it lowers what the account owes.
  overage_pence bigint not null,
  issued_at bigint not null,
  due_at bigint not null,
  settled_at bigint,
  -- Names the payment.
  payment_reference text,
  -- When a saved card was last tried.
  tried_at bigint
);

create unique index invoice_by_number on invoice (organisation_id, number);
create index invoice_open on invoice (due_at) where state = 'open';

create table checkout (
  id text primary key,
  organisation_id text not null references organisation (id),
  -- SHA-256 of what lets the buyer see the key.
  claim_digest text not null,
  invoice_id text references invoice (id),
  created_at bigint not null,
  -- Set once, by whoever asks for the key first.
  claimed_at bigint,
  key_id text
);

-- Messages of payment providers that were acted on: a repeated one changes nothing.
create table payment_event (
  id text primary key,
  received_at bigint not null
);

create table billing_alert (
  id text primary key,
  organisation_id text not null references organisation (id),
  kind text not null check (kind in ('credit_below', 'overage_above')),
  threshold_pence bigint not null,
  created_at bigint not null,
  -- Since when the threshold is crossed; null while it is not.
  triggered_at bigint
);

create index billing_alert_by_organisation on billing_alert (organisation_id, created_at, id);

-- only postgres
alter table ledger_entry drop constraint ledger_entry_kind_check;
-- end
-- only postgres
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('grant', 'expire', 'charge', 'credit', 'plan', 'refund', 'settle'));
-- end
-- SQLite cannot alter a check: the table is made anew.
-- only sqlite
create table ledger_entry_new (
  organisation_id text not null,
  seq bigint not null,
  id text not null,
  kind text not null check (kind in ('grant', 'expire', 'charge', 'credit', 'plan', 'refund', 'settle')),
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
  reference text,
  detail text,
  created_at bigint not null,
  primary key (organisation_id, seq)
)
-- end
-- only sqlite
insert into ledger_entry_new select organisation_id, seq, id, kind, period, plan_id, family, units, free_units,
  unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence,
  prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at from ledger_entry
-- end
-- only sqlite
drop table ledger_entry
-- end
-- only sqlite
alter table ledger_entry_new rename to ledger_entry
-- end
-- only sqlite
create index ledger_entry_by_time on ledger_entry (organisation_id, created_at)
-- end
-- only sqlite
create unique index ledger_entry_by_reference on ledger_entry (organisation_id, reference) where reference is not null
-- end
-- only sqlite
create index ledger_entry_by_kind on ledger_entry (organisation_id, kind, seq) where kind <> 'charge'
-- end
-- only sqlite
create trigger ledger_entry_not_updated before update on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
-- end
-- only sqlite
create trigger ledger_entry_not_deleted before delete on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
-- end
