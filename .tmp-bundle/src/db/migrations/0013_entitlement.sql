-- Entitlement: what the operator said, what was invoiced and paid, and a copy of what follows for the hot path.
alter table organisation add column disabled_at bigint;
-- The operator ended the subscription; a new one, or the operator, takes this back.
alter table organisation add column deactivated_at bigint;
alter table organisation add column awaiting_approval bigint not null default 0;
-- Copies of the standing, with state: why, and until when time alone cannot change it (null: never).
alter table organisation add column state_reason text;
alter table organisation add column state_until bigint;
update organisation set disabled_at = updated_at, state_reason = 'disabled' where state = 'disabled';
update organisation set deactivated_at = updated_at, state_reason = 'deactivated' where state = 'inactive'
  and not exists (select 1 from subscription s where s.organisation_id = organisation.id and s.status <> 'active');
-- Subscribed ones are looked at anew by whoever comes first.
update organisation set state_until = 0
  where exists (select 1 from subscription s where s.organisation_id = organisation.id);

create index organisation_due on organisation (state_until) where state_until is not null;

-- What a subscription stores is what was chosen; whether it runs follows from that and from the invoices.
alter table subscription add column ends_at bigint;
-- When it was first given to the customer; null while it waits for its first payment.
alter table subscription add column given_at bigint;
-- only sqlite
update subscription set ends_at = case when status = 'ended' then coalesce(stopped_at, updated_at)
  when ends_at_period_end = 1 then cast(strftime('%s', closed_period || '-01', '+2 months') as integer) * 1000 end
-- end
-- only postgres
update subscription set ends_at = case when status = 'ended' then coalesce(stopped_at, updated_at)
  when ends_at_period_end = 1
  then cast(extract(epoch from (closed_period || '-01')::timestamp + interval '2 months') as bigint) * 1000 end
-- end
update subscription set given_at = started_at where stopped_at is null or stopped_at <> started_at;
alter table subscription drop column status;
alter table subscription drop column ends_at_period_end;
alter table subscription drop column stopped_at;
alter table subscription drop column billed_period;
drop index subscription_by_closed;

-- Invoices: lines are rows, numbers one series of the operator, and the customer as the document shows them.
create table invoice_line (
  invoice_id text not null references invoice (id),
  position bigint not null,
  kind text not null,
  -- The calendar month it is about.
  month text not null,
  -- Of a plan's price: which plan, and its whole price at that time.
  plan_id text,
  plan_price_pence bigint,
  description text not null,
  amount_pence bigint not null,
  primary key (invoice_id, position)
);
-- only sqlite
insert into invoice_line select i.id, l.key, json_extract(l.value, '$.kind'), json_extract(l.value, '$.month'), null, null,
  json_extract(l.value, '$.description'), json_extract(l.value, '$.amount_pence')
  from invoice i, json_each(i.lines) l
-- end
-- only postgres
insert into invoice_line select i.id, l.position - 1, l.line ->> 'kind', l.line ->> 'month', null, null,
  l.line ->> 'description', cast(l.line ->> 'amount_pence' as bigint)
  from invoice i, json_array_elements(i.lines::json) with ordinality l (line, position)
-- end
alter table invoice drop column lines;
-- 1: what it is for is given when it is paid, so nobody owes it and it never falls overdue.
alter table invoice add column in_advance bigint not null default 0;
update invoice set in_advance = 1 where kind = 'top_up' or organisation_id in
  (select organisation_id from subscription where given_at is null);
alter table invoice add column refunded_pence bigint not null default 0;
-- JSON: name, address, tax_id.
alter table invoice add column customer text not null default '{}';
-- only sqlite
update invoice set customer = (select json_object('name', o.name, 'address', '', 'tax_id', null)
  from organisation o where o.id = invoice.organisation_id)
-- end
-- only postgres
update invoice set customer = (select json_build_object('name', o.name, 'address', '', 'tax_id', null)::text
  from organisation o where o.id = invoice.organisation_id)
-- end
drop index invoice_by_number;
update invoice set number = numbered.position from
  (select id, row_number() over (order by issued_at, id) as position from invoice) numbered where numbered.id = invoice.id;
create unique index invoice_by_number on invoice (number);
create index invoice_by_organisation on invoice (organisation_id, issued_at, id);
create table invoice_series (
  name text primary key,
  last_number bigint not null
);
insert into invoice_series select 'invoice', coalesce(max(number), 0) from invoice;

-- Every genuine payment, whatever became of it.
create table payment (
  id text primary key,
  provider text not null,
  -- The provider's or the operator's name for it.
  reference text not null,
  -- Null where it matches nothing of ours.
  organisation_id text,
  invoice_id text,
  amount_pence bigint not null,
  currency text not null,
  outcome text not null check (outcome in ('settled', 'credited', 'unmatched')),
  refunded_pence bigint not null,
  -- Since when the payer disputes it; null while nobody does. And when a dispute of it was decided.
  disputed_at bigint,
  dispute_closed_at bigint,
  received_at bigint not null
);
create unique index payment_by_reference on payment (provider, reference, invoice_id);
create index payment_by_organisation on payment (organisation_id, received_at, id);
insert into payment select 'pay_' || replace(i.id, '_', ''), coalesce(s.provider, 'invoice'),
  coalesce(i.payment_reference, i.id), i.organisation_id, i.id, i.total_pence, 'gbp', 'settled', 0, null, null,
  coalesce(i.settled_at, i.issued_at)
  from invoice i left join subscription s on s.organisation_id = i.organisation_id where i.state = 'paid';
-- What a provider told of a payment before the payment itself.
create table payment_aftermath (
  provider text not null,
  reference text not null,
  kind text not null,
  refunded_pence bigint,
  received_at bigint not null,
  primary key (provider, reference, kind)
);

-- Who signed up: the first key is theirs to see only while they could make one.
alter table checkout add column person_id text;

-- Who is invoiced, and how far overage may run.
create table billing_terms (
  organisation_id text primary key references organisation (id),
  customer_name text,
  customer_address text,
  customer_tax_id text,
  -- The owner may lower the limit of the plan, the operator may set another; null: the plan's.
  owner_overage_limit_pence bigint,
  operator_overage_limit_pence bigint,
  updated_at bigint not null
);
-- Copies for the hot path; null: as the plan says.
alter table billing_account add column monthly_credit_pence bigint;
alter table billing_account add column overage_limit_pence bigint;

-- The ledger learns that a payment went back. Its kinds are listed in the code alone.
-- only postgres
alter table ledger_entry drop constraint ledger_entry_kind_check
-- end
-- only sqlite
create table ledger_entry_new (
  organisation_id text not null,
  seq bigint not null,
  id text not null,
  kind text not null,
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
