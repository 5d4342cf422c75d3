-- Lists and look-ups that read a whole table before.
create index organisation_by_time on organisation (created_at, id);
create index person_by_time on person (created_at, id);
create index billing_account_by_plan on billing_account (plan_id);
create index subscription_by_next_plan on subscription (next_plan_id);
create index payment_event_by_time on payment_event (received_at);
create index checkout_by_organisation on checkout (organisation_id);
create index checkout_by_invoice on checkout (invoice_id);
create index payment_by_invoice on payment (invoice_id);
