-- Refunds and disputes are rows of their own. Messages come in any order, so a row may exist before its payment.

create table payment_refund (
  provider text not null,
  -- The provider's name for the payment; for a payment that the operator recorded, our id.
  reference text not null,
  -- Providers tell totals: the largest one counts.
  refunded_pence bigint not null,
  told_at bigint not null,
  primary key (provider, reference)
);

create table payment_dispute (
  -- The provider's name for the dispute; the reference of the payment where an earlier version did not store it.
  id text not null,
  provider text not null,
  reference text not null,
  -- Null where it is not known: then the whole payment.
  amount_pence bigint,
  -- inquiry, inquiry_closed, open, won, lost: return-rows.ts has the order in which they follow each other.
  state text not null,
  opened_at bigint not null,
  closed_at bigint,
  primary key (id, provider)
);
create index payment_dispute_by_payment on payment_dispute (provider, reference);
create index payment_dispute_by_time on payment_dispute (opened_at, id);
create index payment_by_time on payment (received_at, id);

-- Of the amount, the part that was lost in disputes.
alter table payment add column lost_pence bigint not null default 0;
-- 1: its payment was lost in a dispute, and it was not paid again since.
alter table invoice add column reopened bigint not null default 0;
-- 1: in advance, and neither sent nor paid yet. Cancelled as a draft, it gives its number back.
alter table invoice add column draft bigint not null default 0;
create index invoice_drafts on invoice (issued_at, id) where draft = 1;

insert into payment_dispute select reference, provider, reference, null,
  case when disputed_at is not null then 'open' when refunded_pence >= amount_pence then 'lost' else 'won' end,
  coalesce(disputed_at, dispute_closed_at), case when disputed_at is null then dispute_closed_at end
  from payment where disputed_at is not null or dispute_closed_at is not null
  on conflict do nothing;
-- Told before their payment, the most important word of each first.
insert into payment_dispute select reference, provider, reference, null, 'lost', received_at, received_at
  from payment_aftermath where kind = 'dispute_lost' on conflict do nothing;
insert into payment_dispute select reference, provider, reference, null, 'won', received_at, received_at
  from payment_aftermath where kind = 'dispute_won' on conflict do nothing;
insert into payment_dispute select reference, provider, reference, null, 'open', received_at, null
  from payment_aftermath where kind = 'disputed' on conflict do nothing;
insert into payment_refund select provider, reference, coalesce(refunded_pence, 0), received_at
  from payment_aftermath where kind = 'refunded' on conflict do nothing;
update invoice set reopened = 1 where state = 'open' and in_advance = 0 and exists (select 1 from payment p
  where p.invoice_id = invoice.id and p.outcome = 'settled' and p.dispute_closed_at is not null
  and p.refunded_pence >= p.amount_pence);
-- Their credit is derived anew by whoever comes first.
update organisation set state_until = 0 where id in (select organisation_id from invoice where reopened = 1);
