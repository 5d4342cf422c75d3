-- A database of Assay 1.0.0 on postgres, filled by its own verbs and API (test/released/make.ts).
create table if not exists schema_migration
  (name text primary key, checksum text not null, applied_at bigint not null);
create table organisation (
  id text primary key,
  name text not null,
  state text not null check (state in ('active', 'disabled', 'inactive')),
  created_at bigint not null,
  updated_at bigint not null
);
create table api_key (
  id text primary key,
  organisation_id text not null references organisation (id),
  name text not null,
  digest text not null unique,
  hint text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);
create index api_key_by_organisation on api_key (organisation_id, created_at);
create table billing_account (
  organisation_id text primary key references organisation (id),
  plan_id text not null,
  period text not null,
  included_pence bigint not null check (included_pence >= 0),
  prepaid_pence bigint not null check (prepaid_pence >= 0),
  overage_pence bigint not null check (overage_pence >= 0),
  included_used_pence bigint not null,
  free_units_used bigint not null,
  entry_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
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
  reference text,
  detail text,
  created_at bigint not null,
  primary key (organisation_id, seq)
);
create index ledger_entry_by_time on ledger_entry (organisation_id, created_at);
create unique index ledger_entry_by_reference on ledger_entry (organisation_id, reference) where reference is not null;
create function refuse_ledger_change() returns trigger language plpgsql as
$$ begin raise exception 'the ledger is append-only'; end $$;
create trigger ledger_entry_not_changed before update or delete or truncate on ledger_entry
for each statement execute function refuse_ledger_change();
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
create table feed (
  id text primary key,
  definition text not null,
  base_dir text,
  enabled bigint not null,
  rows bigint,
  junk text,
  fetched_at bigint,
  checked_at bigint,
  validators text,
  failures bigint not null,
  last_error text,
  last_error_at bigint,
  held text,
  next_due_at bigint not null,
  updated_at bigint not null
);
create table snapshot (
  version text primary key,
  built_at bigint not null,
  bytes bigint not null,
  chunks bigint not null,
  published_at bigint not null,
  sequence bigint not null unique
);
create table snapshot_chunk (
  version text not null references snapshot (version) on delete cascade,
  number bigint not null,
  data bytea not null,
  primary key (version, number)
);
create table person (
  id text primary key,
  email text not null unique,
  email_verified integer not null default 0,
  name text not null,
  password_hash text not null,
  state text not null check (state in ('active', 'disabled')),
  created_at bigint not null,
  updated_at bigint not null
);
create table membership (
  person_id text not null references person (id),
  organisation_id text not null references organisation (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at bigint not null,
  primary key (person_id, organisation_id)
);
create index membership_by_organisation on membership (organisation_id, person_id);
create table console_session (
  digest text primary key,
  person_id text not null references person (id),
  created_at bigint not null,
  expires_at bigint not null
);
create index console_session_by_person on console_session (person_id);
create index console_session_by_expiry on console_session (expires_at);
create table attempt_window (
  key text primary key,
  attempts integer not null,
  ends_at bigint not null
);
create index attempt_window_by_end on attempt_window (ends_at);
create table oauth_client (
  id text primary key,
  organisation_id text not null references organisation (id),
  kind text not null check (kind in ('service', 'web', 'spa', 'native')),
  name text not null,
  scopes text not null,
  redirect_uris text not null,
  logout_uris text not null,
  secret_digest text,
  jwks text,
  state text not null check (state in ('active', 'disabled')),
  created_at bigint not null,
  updated_at bigint not null,
  check (kind in ('service', 'web') or (secret_digest is null and jwks is null))
);
create index oauth_client_by_organisation on oauth_client (organisation_id, created_at);
create table oauth_record (
  digest text not null,
  kind text not null,
  payload text not null,
  client_id text,
  person_id text,
  grant_digest text,
  organisation_id text,
  scope text,
  uid_digest text,
  user_code_digest text,
  issued_at bigint not null,
  expires_at bigint not null,
  purge_at bigint not null,
  consumed_at bigint,
  claimed_at bigint,
  polled_at bigint,
  poll_interval_ms bigint,
  polled_early integer,
  primary key (digest, kind)
);
create index oauth_record_by_purge on oauth_record (purge_at);
create index oauth_record_by_grant on oauth_record (grant_digest) where grant_digest is not null;
create index oauth_record_by_client on oauth_record (client_id) where client_id is not null;
create index oauth_record_by_uid on oauth_record (uid_digest) where uid_digest is not null;
create unique index oauth_record_by_user_code on oauth_record (user_code_digest) where user_code_digest is not null;
create table oauth_key (
  sequence integer primary key,
  kid text not null unique,
  sealed text not null,
  created_at bigint not null,
  signs_at bigint not null,
  retires_at bigint
);
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
create table usage_progress (
  organisation_id text primary key,
  entry_seq bigint not null
);
create index ledger_entry_by_kind on ledger_entry (organisation_id, kind, seq) where kind <> 'charge';
create table invitation (
  id text primary key,
  organisation_id text not null references organisation (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  digest text not null unique,
  email text,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by text,
  revoked_at bigint
);
create index invitation_by_organisation on invitation (organisation_id, created_at, id);
create table audit_entry (
  id text primary key,
  organisation_id text not null,
  created_at bigint not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'person', 'operator', 'system')),
  actor_id text not null,
  actor_name text,
  action text not null,
  target_id text,
  detail text not null,
  ip text,
  request_id text
);
create index audit_entry_by_time on audit_entry (organisation_id, created_at, id);
create function refuse_audit_change() returns trigger language plpgsql as
$$ begin raise exception 'the audit log is append-only'; end $$;
create trigger audit_entry_not_changed before update or delete or truncate on audit_entry
for each statement execute function refuse_audit_change();
create table subscription (
  organisation_id text primary key references organisation (id),
  status text not null check (status in ('active', 'past_due', 'ended')),
  provider text not null,
  next_plan_id text,
  ends_at_period_end bigint not null,
  started_at bigint not null,
  stopped_at bigint,
  billed_period text not null,
  closed_period text not null,
  payer text,
  payment_method text,
  updated_at bigint not null
);
create index subscription_by_closed on subscription (closed_period);
create table invoice (
  id text primary key,
  organisation_id text not null references organisation (id),
  number bigint not null,
  kind text not null check (kind in ('subscription', 'top_up')),
  state text not null check (state in ('open', 'paid', 'void')),
  lines text not null,
  total_pence bigint not null check (total_pence > 0),
  overage_pence bigint not null,
  issued_at bigint not null,
  due_at bigint not null,
  settled_at bigint,
  payment_reference text,
  tried_at bigint
);
create unique index invoice_by_number on invoice (organisation_id, number);
create index invoice_open on invoice (due_at) where state = 'open';
create table checkout (
  id text primary key,
  organisation_id text not null references organisation (id),
  claim_digest text not null,
  invoice_id text references invoice (id),
  created_at bigint not null,
  claimed_at bigint,
  key_id text
);
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
  triggered_at bigint
);
create index billing_alert_by_organisation on billing_alert (organisation_id, created_at, id);
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('grant', 'expire', 'charge', 'credit', 'plan', 'refund', 'settle'));
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
delete from usage_rollup;
delete from usage_progress;
create table operator_person (
  person_id text primary key references person (id),
  created_at bigint not null
);
insert into schema_migration (name, checksum, applied_at) values ('0001_identity', '7d9393277f9532fd656b2ccd40e89ab7b6b388730e377e9e27f5a3c41e695c45', 1794820355359);
insert into schema_migration (name, checksum, applied_at) values ('0002_billing', '07a9a24c678f7fb564ae135fae45d11bbc8e6c3ab80239ebb3058dc308b66aae', 1794820355411);
insert into schema_migration (name, checksum, applied_at) values ('0003_feeds', 'd781b6b7d5f34563e2686d76c68b73f0a9d0434f58240c5f175275ffb006132c', 1794820355425);
insert into schema_migration (name, checksum, applied_at) values ('0004_snapshots', '155563f5752408e635dd8b06d00b448d4adbabfe12d43c651be2e9fc68f6f9f0', 1794820355444);
insert into schema_migration (name, checksum, applied_at) values ('0005_people', '3e4ce69e6393fd64d0df00af29b305730e0a6951403db5b6e9df8d78e4c1c1df', 1794820355498);
insert into schema_migration (name, checksum, applied_at) values ('0006_oauth', '89ca2f5fb324104ef9a824f75a9d9c326036e34004ff084ba4a82c4f378183cb', 1794820355533);
insert into schema_migration (name, checksum, applied_at) values ('0007_usage', '2e81d4ae49c9ae21141192436da3ff1db8df025c4211ceea646ec46e2b749518', 1794820355554);
insert into schema_migration (name, checksum, applied_at) values ('0008_organisation_resources', '1eb818cadf93c32ce22a2c137726a463091a97ca2f2fae15f04eea02ea47869b', 1794820355592);
insert into schema_migration (name, checksum, applied_at) values ('0009_subscriptions', 'abe7254f5d85206636526a79905997d2c03293b3e43772f036b975efdda1520d', 1794820355675);
insert into schema_migration (name, checksum, applied_at) values ('0010_usage_total', '64da3d28fdd4ab94b2bf14feaf7655d1b1c59874ffbae47d4590c3df06ffc861', 1794820355691);
insert into schema_migration (name, checksum, applied_at) values ('0011_operator', 'ae3781c6572ed0656d36e9f7169a472ed65b10441898be591c46c30783c93d9a', 1794820355701);
insert into organisation (id, name, state, created_at, updated_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 'On free', 'active', 1794820355713, 1794820355713);
insert into organisation (id, name, state, created_at, updated_at) values ('org_dVuejZILZaobDtHeUMi6', 'On prepaid', 'active', 1794820357345, 1794820357345);
insert into organisation (id, name, state, created_at, updated_at) values ('org_8SxZEnxpGZco2BNNz9vz', 'On enterprise', 'active', 1794820361065, 1794820361065);
insert into organisation (id, name, state, created_at, updated_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'On growth, renamed', 'active', 1794820359049, 1794820375760);
insert into organisation (id, name, state, created_at, updated_at) values ('org_kMJsHjHULnJyLjUH75mQ', 'Signed up, paying', 'active', 1794820387381, 1794820387381);
insert into organisation (id, name, state, created_at, updated_at) values ('org_uLJ0CGkDDxMdp7Mkm06N', 'Signed up, waiting', 'active', 1794820387497, 1794820387497);
insert into organisation (id, name, state, created_at, updated_at) values ('org_bnUnfotJL6cdBJa0hnmn', 'Disabled', 'disabled', 1794820390962, 1794820391862);
insert into organisation (id, name, state, created_at, updated_at) values ('org_P2Wt6F25BGgFq63FwMGj', 'Deactivated', 'inactive', 1794820394312, 1794820395372);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_EtDxZUgh8ez8PuPF2hwn', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'to be replaced', '7edd069441c77828c8ebc2cbc5418a8cea808bf8b60fc09781f25fb2cc9f0991', 'ask_k5Pc', 'risk:payment', 1794820376919, 1794823977009, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_FKFDFz9cqxR7XgrleYlL', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'to be replaced', '39cb56553db58a036c88a3580d32ada67e20ffbd21fadbc6cae6df92f64f48a5', 'ask_a1LB', 'risk:payment', 1794820377009, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_E5tACtOvC6VQR539mwAA', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'ended', '77bdea504d9c1df36d9341432e1bb94fc42818ecf875e202c17fcc7bec247c45', 'ask_V1LI', 'risk:payment', 1794820377026, null, null, 1794820377034);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_nAX7v7500BCKqxQGGhqG', 'org_kMJsHjHULnJyLjUH75mQ', 'first key', 'db3c39e7ac4c261609d7efa08185727b258dcc6db837e4a1abfd671cfb9cad7f', 'ask_vKJk', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820389943, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_2CVLmAWpHezeq3MUwAmr', 'org_bnUnfotJL6cdBJa0hnmn', 'first key', '772d490288464a3cc33867976c2ae02edf51f68d23ba9782e1dcf47b33f450e4', 'ask_cPhi', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820390962, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_jY4w0BrRZutjNRklBDMY', 'org_P2Wt6F25BGgFq63FwMGj', 'first key', '70b43ea46a043bb8f2f6b5284a012822f0f7b29221c851ab5a59c71b91d6c7d6', 'ask_Ov5h', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820394312, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_VM12zwX0Iqgyjhe7Ccpy', 'org_RYnhWnAnLnrUtbu9jCnx', 'first key', '878100628935b5133913ac81ec2628728fb20fa99b9199ea70708c65dbd7a4e4', 'ask_L4lX', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820355713, null, 1794820374037, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_blcu7uxU7gza3xra59nT', 'org_dVuejZILZaobDtHeUMi6', 'first key', '48e98ea869eee3b499946f05918becd16e1c120667220fc6761daf16258e6c2a', 'ask_Sdet', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820357345, null, 1794820374088, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_dKzzX3Y4LKMSo0ECn7Bo', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'first key', '08436db1b2b0cc5e7d53b8fed8d332d9314281158542fbdf2248ec02cdc7dd2e', 'ask_8F00', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820359049, null, 1794820374126, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_gVczpSVLeSLxtkEE6EnM', 'org_8SxZEnxpGZco2BNNz9vz', 'first key', 'cbddb7858c42edea3f08293c3cd20a3258915e209a9b3ab9aa42b048c5b4dc48', 'ask_od9S', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820361065, null, 1794820374198, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_geOwI6dokMwo4XF0yacv', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'everything', 'c27e978f84224c4726b71333ff11394ecbd92676db71aca1cc6527490c290358', 'ask_Qdve', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', 1794820375602, null, 1794820382353, null);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 'free', '2026-11', 0, 5000, 0, 0, 3, 4, 1794820355713, 1794820374077);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_dVuejZILZaobDtHeUMi6', 'prepaid', '2026-11', 0, 4994, 0, 0, 0, 4, 1794820357345, 1794820374113);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_8SxZEnxpGZco2BNNz9vz', 'enterprise', '2026-11', 149997, 5000, 0, 3, 0, 5, 1794820361065, 1794820374229);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'growth', '2026-11', 11989, 7500, 0, 11, 0, 8, 1794820359049, 1794820376738);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_uLJ0CGkDDxMdp7Mkm06N', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820387497, 1794820387497);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_kMJsHjHULnJyLjUH75mQ', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820387381, 1794820387381);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_bnUnfotJL6cdBJa0hnmn', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820390962, 1794820390962);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_P2Wt6F25BGgFq63FwMGj', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820394312, 1794820394312);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 1, 'ent_wTjb8PAY2yV4slLgHlZu', 'credit', '2026-11', 'free', null, 0, 0, 0, 0, 5000, 0, 0, 5000, 0, null, null, null, 'opening credit', 1794820355740);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_dVuejZILZaobDtHeUMi6', 1, 'ent_pnnibxNx29nhml12mWs6', 'credit', '2026-11', 'prepaid', null, 0, 0, 0, 0, 5000, 0, 0, 5000, 0, null, null, null, 'opening credit', 1794820357372);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 1, 'ent_w4dcsy0YdVYZ57EWThNh', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820359049);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 2, 'ent_lEuRqGGBnE0gwDTMgNbU', 'credit', '2026-11', 'growth', null, 0, 0, 0, 0, 5000, 0, 12000, 5000, 0, null, null, null, 'opening credit', 1794820359077);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_8SxZEnxpGZco2BNNz9vz', 1, 'ent_Kbg7fYrqqz0Z4yoaEZbt', 'grant', '2026-11', 'enterprise', null, 0, 0, 0, 150000, 0, 0, 150000, 0, 0, null, null, null, null, 1794820361065);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_8SxZEnxpGZco2BNNz9vz', 2, 'ent_AX15WEaws0ZVhfJUhJML', 'credit', '2026-11', 'enterprise', null, 0, 0, 0, 0, 5000, 0, 150000, 5000, 0, null, null, null, 'opening credit', 1794820361084);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 2, 'ent_dZBLy3BZDu4B00000000', 'charge', '2026-11', 'free', 'payment-risk', 1, 1, 3, 0, 0, 0, 0, 5000, 0, 'key_VM12zwX0Iqgyjhe7Ccpy', 'req_KTugwxni8iEn00000000', null, null, 1794820374047);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 3, 'ent_dZBLy3BZDu4B00000001', 'charge', '2026-11', 'free', 'supply-chain-risk', 1, 1, 2, 0, 0, 0, 0, 5000, 0, 'key_VM12zwX0Iqgyjhe7Ccpy', 'req_KTugwxni8iEn00000001', null, null, 1794820374068);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_RYnhWnAnLnrUtbu9jCnx', 4, 'ent_dZBLy3BZDu4B00000002', 'charge', '2026-11', 'free', 'infrastructure-risk', 1, 1, 1, 0, 0, 0, 0, 5000, 0, 'key_VM12zwX0Iqgyjhe7Ccpy', 'req_KTugwxni8iEn00000002', null, null, 1794820374077);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_dVuejZILZaobDtHeUMi6', 2, 'ent_dZBLy3BZDu4B00000003', 'charge', '2026-11', 'prepaid', 'payment-risk', 1, 0, 3, 0, -3, 0, 0, 4997, 0, 'key_blcu7uxU7gza3xra59nT', 'req_KTugwxni8iEn00000003', null, null, 1794820374092);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_dVuejZILZaobDtHeUMi6', 3, 'ent_dZBLy3BZDu4B00000004', 'charge', '2026-11', 'prepaid', 'supply-chain-risk', 1, 0, 2, 0, -2, 0, 0, 4995, 0, 'key_blcu7uxU7gza3xra59nT', 'req_KTugwxni8iEn00000004', null, null, 1794820374101);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_dVuejZILZaobDtHeUMi6', 4, 'ent_dZBLy3BZDu4B00000005', 'charge', '2026-11', 'prepaid', 'infrastructure-risk', 1, 0, 1, 0, -1, 0, 0, 4994, 0, 'key_blcu7uxU7gza3xra59nT', 'req_KTugwxni8iEn00000005', null, null, 1794820374113);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 3, 'ent_dZBLy3BZDu4B00000006', 'charge', '2026-11', 'growth', 'payment-risk', 1, 0, 2, -2, 0, 0, 11998, 5000, 0, 'key_dKzzX3Y4LKMSo0ECn7Bo', 'req_KTugwxni8iEn00000006', null, null, 1794820374129);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 4, 'ent_dZBLy3BZDu4B00000007', 'charge', '2026-11', 'growth', 'supply-chain-risk', 1, 0, 2, -2, 0, 0, 11996, 5000, 0, 'key_dKzzX3Y4LKMSo0ECn7Bo', 'req_KTugwxni8iEn00000007', null, null, 1794820374142);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 5, 'ent_dZBLy3BZDu4B00000008', 'charge', '2026-11', 'growth', 'infrastructure-risk', 1, 0, 1, -1, 0, 0, 11995, 5000, 0, 'key_dKzzX3Y4LKMSo0ECn7Bo', 'req_KTugwxni8iEn00000008', null, null, 1794820374149);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_8SxZEnxpGZco2BNNz9vz', 3, 'ent_dZBLy3BZDu4B00000009', 'charge', '2026-11', 'enterprise', 'payment-risk', 1, 0, 1, -1, 0, 0, 149999, 5000, 0, 'key_gVczpSVLeSLxtkEE6EnM', 'req_KTugwxni8iEn00000009', null, null, 1794820374199);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_8SxZEnxpGZco2BNNz9vz', 4, 'ent_dZBLy3BZDu4B0000000A', 'charge', '2026-11', 'enterprise', 'supply-chain-risk', 1, 0, 1, -1, 0, 0, 149998, 5000, 0, 'key_gVczpSVLeSLxtkEE6EnM', 'req_KTugwxni8iEn0000000A', null, null, 1794820374210);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_8SxZEnxpGZco2BNNz9vz', 5, 'ent_dZBLy3BZDu4B0000000B', 'charge', '2026-11', 'enterprise', 'infrastructure-risk', 1, 0, 1, -1, 0, 0, 149997, 5000, 0, 'key_gVczpSVLeSLxtkEE6EnM', 'req_KTugwxni8iEn0000000B', null, null, 1794820374229);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 6, 'ent_dZBLy3BZDu4B0000000C', 'charge', '2026-11', 'growth', 'payment-risk', 2, 0, 2, -4, 0, 0, 11991, 5000, 0, 'key_dKzzX3Y4LKMSo0ECn7Bo', 'req_KTugwxni8iEn0000000C', null, null, 1794820374237);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 7, 'ent_dZBLy3BZDu4B0000000D', 'charge', '2026-11', 'growth', 'payment-risk', 1, 0, 2, -2, 0, 0, 11989, 5000, 0, 'key_dKzzX3Y4LKMSo0ECn7Bo', 'req_KTugwxni8iEn0000000D', null, null, 1794820375719);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 8, 'ent_lWr05h3UvMoe34veaA58', 'credit', '2026-11', 'growth', null, 0, 0, 0, 0, 2500, 0, 11989, 7500, 0, null, null, 'top_QgHKyiAPIvd7T2yM2TNI', 'top-up, invoice 1', 1794820376738);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_kMJsHjHULnJyLjUH75mQ', 1, 'ent_GRVw1oVAEFRptnqpbFL3', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820387381);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_uLJ0CGkDDxMdp7Mkm06N', 1, 'ent_Ovo210Ab7ClQbK78GmBj', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820387497);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_bnUnfotJL6cdBJa0hnmn', 1, 'ent_o7Uw9VDhi2KvzoGDB5qc', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820390962);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_P2Wt6F25BGgFq63FwMGj', 1, 'ent_m7anoVYzFMqsllytSHSs', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820394312);
insert into stored_response (organisation_id, key, request_hash, status, body, created_at) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'sent-before-the-upgrade', '5315420e305f0f66d60cc6f75f77f3e22073075447ef69ebe613465295b374ea', 200, '{"endpoint":"payment-risk","risk":"low","risk_score":10,"source_type":"payment_scan","target":"sha256:b0f102de8565bd8e033b55bad28e981730f9f3cdd63995b62d47157802146b19","charged":true,"is_free":false,"unit_price_pence":2,"billable_units":1,"total_price_pence":2,"charged_from_credit_pence":2,"overage_pence":0,"remaining_credit_pence":16989}', 1794820375719);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_wpTuaCGJuR3qlupNcx8m', 'ann@company.example', 0, 'Ann', '$argon2id$v=19$m=19456,t=2,p=1$5+XbFVt1/yHm+9z6GvpnxQ$/61g5f+LiXz5upVvTVD+lMykWRnroEg7FJpoFirndf4', 'active', 1794820378694, 1794820378694);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_dJu7Sjwa3GuBX5Xe4hov', 'bob@company.example', 0, 'Bob', '$argon2id$v=19$m=19456,t=2,p=1$LL07TusuzuF+wnOFjcX6VA$7FvOvSGdf/sjmQpr7RpEIp9qTY+kxi04W+LBYVM4w8Q', 'active', 1794820380118, 1794820380118);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_aIu5Qx7YFXmgfobwWFxM', 'eve@company.example', 0, 'Eve', '$argon2id$v=19$m=19456,t=2,p=1$FuSthkkUtSGvthoqZHTuAQ$D7HT4O89HnSsxZPTwuSNkYGwK4tZSIIGw6+AP2xXBqg', 'active', 1794820382682, 1794820382682);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_B9aOMYfnNDGzhRWkNJ3j', 'paying@company.example', 0, 'paying', '$argon2id$v=19$m=19456,t=2,p=1$2ZoM7lqmQljo7iI+lz5lDA$AisQxZwkx7QtQ3HtrBhxqzJF/emRPxIW5poOmk8tll8', 'active', 1794820387381, 1794820387381);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_FVF2AxfYXVlt2htZprZl', 'waiting@company.example', 0, 'waiting', '$argon2id$v=19$m=19456,t=2,p=1$/Ww649SyzyOl+49l+ibBzQ$5uJ8n7+P/b4T4F2/uCnnS/T3QDCDtJzqdlxQigySoVU', 'active', 1794820387497, 1794820387497);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_wpTuaCGJuR3qlupNcx8m', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'owner', 1794820378694);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_dJu7Sjwa3GuBX5Xe4hov', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'viewer', 1794820380118);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_aIu5Qx7YFXmgfobwWFxM', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'developer', 1794820382682);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_B9aOMYfnNDGzhRWkNJ3j', 'org_kMJsHjHULnJyLjUH75mQ', 'owner', 1794820387381);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_FVF2AxfYXVlt2htZprZl', 'org_uLJ0CGkDDxMdp7Mkm06N', 'owner', 1794820387497);
insert into console_session (digest, person_id, created_at, expires_at) values ('ddb1b4e5122b8fd4c814f8eaa47fbe3f806954ed54fb4963bf4899e275d33d2b', 'usr_wpTuaCGJuR3qlupNcx8m', 1794820387085, 1794863587085);
insert into attempt_window (key, attempts, ends_at) values ('7250929b8c962854ca214dad4f7c8bbc43d79eeb86b0765d1e1b08ae24688506', 1, 1794821282454);
insert into attempt_window (key, attempts, ends_at) values ('3320310d639d3265196d176caf417717d0feeb949956dcb5c963087d3bffe55b', 0, 1794821286296);
insert into attempt_window (key, attempts, ends_at) values ('8119fd02f8d97c4c6284fe0f06eb0f3ec0ff58d72b67137e00e475cf31e322c2', 2, 1794823987115);
insert into attempt_window (key, attempts, ends_at) values ('22ce4884c123b3e555f265b783daa8afd47208320e3e7de0daecf6cc5c0c3364', 1, 1794823989937);
insert into oauth_client (id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks, state, created_at, updated_at) values ('cli_wnSV7qMGXSHv5Yhs66C8', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'service', 'Service', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', '[]', '[]', '08aa6aa9d7e2f3609806910c5a38699d54a4baff29d67856a4f8a85cc9804caa', null, 'active', 1794820384498, 1794820384498);
insert into oauth_client (id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks, state, created_at, updated_at) values ('cli_PvW81BvLUwZ8nvg8v3Pt', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'web', 'Web', 'openid offline_access risk:payment risk:supply-chain risk:infrastructure risk:bulk', '["http://localhost:9999/back"]', '[]', '42bedfc99cc4d6dfd3fcf85b5c1d0254f7b148ff64fc4214ff0d0b52ff6e3fa0', null, 'active', 1794820386174, 1794820386174);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('f751783eb7b7823c36d40a93b9740ad2690b742fe95a528dfd53f4b0e55f81e4', 'ClientCredentials', '{"iat":1794820386,"exp":1794823986,"scope":"risk:payment","kind":"ClientCredentials","clientId":"cli_wnSV7qMGXSHv5Yhs66C8","extra":{"organisation_id":"org_L7Yn9KY2Wj7VtpUGeVjz"}}', 'cli_wnSV7qMGXSHv5Yhs66C8', null, null, null, 'risk:payment', null, null, 1794820386229, 1794823986000, 1794827586000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('7ea85cacfa4730d47d06773213b6015543ebbac39543553bcb92c1107b5c50d3', 'Session', 'bKpLlyi8Z_p8-aq5PBgVC79hNICYoheaGAt58hYzDU77cCM09-N0Ju1MUkULsBpj7H4VOuUYy0oWtTwMn1MzRAGNheGx-wGTKwXcNhOC5u5Ie7GpmWjLvKtlDMZsmkzITudoRFeI9lUjQXLX6-Jfsixzp9tc2HM4Bja9p24lxzarMDpp1qip-S-2z050fWECmP1torhQxIwJ0Ti2qe-AY6pZzErkRI5MI8il-S_2zncXT7Go69tNdYZz0m_9GXa53xYUb8T3Rd3RoRkMPqHBaufe5mY6yKEiNpc7qZdHszNRmSU3Dt0nQvyW9gH7EjIOJNxuk9gNuAejvEQVlrDJgREj-erGPdB0PPlxSEDmneLvUI_931DkF7GuuIX5TuEF1VgYrK0Tifxbfm5QQgFnxIg_BdLq-EOmGPdbGMeSjqEHOJfzepsL_dJP91omgwd1t40bSyhrP4NNubfvNqDYbDtEwsdY3XvkspgX92u5QjdZ-2pTt26ihLMZ5JLLCqNylwC1cWLGmu-YDL8IocW7R7RG2UAM9_Q1siMzlqub6HBohQ3yZZaoziF5D0JfqG14TIMC_A', null, 'usr_wpTuaCGJuR3qlupNcx8m', null, null, null, 'd45452fb5bb3105b3c2b98a77b79f6714c8d173bb0b7d4ecba1383683319aaa1', null, 1794820386738, 1794863586000, 1794867186000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('0bcd1403ed1bd266ffb6cf26b8cac6172918b66d7d15549e83ed2a8d2488cd9c', 'Grant', '{"iat":1794820386,"exp":1810458786,"accountId":"usr_wpTuaCGJuR3qlupNcx8m","clientId":"cli_PvW81BvLUwZ8nvg8v3Pt","kind":"Grant","openid":{"scope":"openid offline_access risk:payment"}}', 'cli_PvW81BvLUwZ8nvg8v3Pt', 'usr_wpTuaCGJuR3qlupNcx8m', null, 'org_L7Yn9KY2Wj7VtpUGeVjz', null, null, null, 1794820386679, 1810458786000, 1810462386000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('e00d95b2d8a2fbc8f1e03be94ef834395ac81385572eb27b5dce6bad2fd101b3', 'AuthorizationCode', '{"iat":1794820386,"exp":1794820446,"accountId":"usr_wpTuaCGJuR3qlupNcx8m","amr":["pwd"],"authTime":1794820386,"codeChallenge":"smrKUxcLj6mTJOin_fCdQJ4a530BmVYjmrA63GZ06RI","codeChallengeMethod":"S256","grantId":"FPCms778iw52K6LdlWtkBYRQ_pl607Y0WmwazCaGDi4","redirectUri":"http://localhost:9999/back","scope":"openid offline_access risk:payment","sessionUid":"PqEXEKnxEjZSJvsw5TfYIDXKJKs2y2rsRJX9rk2t6eM","kind":"AuthorizationCode","clientId":"cli_PvW81BvLUwZ8nvg8v3Pt"}', 'cli_PvW81BvLUwZ8nvg8v3Pt', 'usr_wpTuaCGJuR3qlupNcx8m', '0bcd1403ed1bd266ffb6cf26b8cac6172918b66d7d15549e83ed2a8d2488cd9c', null, 'openid offline_access risk:payment', null, null, 1794820386728, 1794820446000, 1794906846000, 1794820386857, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('2f551c45935e79e534551127d00ee205b7a32c1d8637a4f69f01857df18b80de', 'AccessToken', '{"iat":1794820386,"exp":1794823986,"accountId":"usr_wpTuaCGJuR3qlupNcx8m","grantId":"FPCms778iw52K6LdlWtkBYRQ_pl607Y0WmwazCaGDi4","gty":"authorization_code","sessionUid":"PqEXEKnxEjZSJvsw5TfYIDXKJKs2y2rsRJX9rk2t6eM","kind":"AccessToken","clientId":"cli_PvW81BvLUwZ8nvg8v3Pt","scope":"openid offline_access risk:payment","extra":{"organisation_id":"org_L7Yn9KY2Wj7VtpUGeVjz"}}', 'cli_PvW81BvLUwZ8nvg8v3Pt', 'usr_wpTuaCGJuR3qlupNcx8m', '0bcd1403ed1bd266ffb6cf26b8cac6172918b66d7d15549e83ed2a8d2488cd9c', null, 'openid offline_access risk:payment', null, null, 1794820386871, 1794823986000, 1794827586000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('cb0306b7f0dc188d1717b5d9435dfffd8c1935eefc945a3908f8f46ea8cf5716', 'RefreshToken', '{"iat":1794820386,"exp":1797412386,"accountId":"usr_wpTuaCGJuR3qlupNcx8m","amr":["pwd"],"authTime":1794820386,"grantId":"FPCms778iw52K6LdlWtkBYRQ_pl607Y0WmwazCaGDi4","gty":"authorization_code","rotations":0,"scope":"openid offline_access risk:payment","sessionUid":"PqEXEKnxEjZSJvsw5TfYIDXKJKs2y2rsRJX9rk2t6eM","kind":"RefreshToken","clientId":"cli_PvW81BvLUwZ8nvg8v3Pt","iiat":1794820386}', 'cli_PvW81BvLUwZ8nvg8v3Pt', 'usr_wpTuaCGJuR3qlupNcx8m', '0bcd1403ed1bd266ffb6cf26b8cac6172918b66d7d15549e83ed2a8d2488cd9c', null, 'openid offline_access risk:payment', null, null, 1794820386892, 1797412386000, 1797498786000, null, null, null, null, null);
insert into oauth_key (sequence, kid, sealed, created_at, signs_at, retires_at) values (1, 'kyFBcROIoeibxxAK', 'XpNlRkL14XBrvOEcMRa7VBEbE8us850Z3JNH6bvGBZCQFeoEiTmJsR-6Q9tTpCTTNkuZx5MLyrfQTqeVmbHkrNJFHsNQBXSTL1yrrNiBfcjHBpuhVXVbc5-WC78VWjE0vuS-BUAwJzomMbeylWqHGfbm2nBbq1_MNy_oLZ1affB5GvgfVr5I-T7DMNkwAUqgF3GSYiztJbjLdX6TtreIyLDk-BnsGRRs1eVHM52nPTTgAsonc0Y5h45EYMyG07AkE27fRMbeOwOL7dw5JTjg2WGWNG3qiSfSwN1KM0e5YSm7--WPVl6k9w4fUUZFS3vU0sw1hs6YDF72qWSHcqSvHWHl4Q7XVp_vzFD0zBGNbp27ZQeokBNxDigRu7UFmHcaO0A3Ei3D8a23hhDDl5R5nfXNzYHJzSOI-LR_WCBECs3dhnbXDWeNCOhNAzO63IC1cV7nTKKHMSm2-aIR1HD1k_YxvJpA8MRv2TmwZBXLHoBOEXZy6cgIA7dLxGXZduXtbi7kZFLOufMwO8SqVutX9TJqj8QxZcCRXafBP-xmsut9ElziJqaZK4vz02Xrf85tMNkO73atq9xb8nzM1pWduaVNmj8yLXQKnwoaMF2ZhAlS4vih6OWRWnp_MDiwt4YjPJ6Abk6kLJp9izdKUO7KsboYoc5diMpoYVmlD1pkbFDM61sxvHa-aZR6EUMoCErQtV3d-tYQUrcT4RpYrCQy-gUVvbwOSR3Rxnr8DkQAWxAzAVzUmHqmOGfiitQruaZ8zy07ErqrjhSoWFkumUPPV1JUQ9jaXBDAitr36Rl1l5eX3RFYkumi_XkQw14sDCeR5Nl3yBlmLnPIFsMEWqLJ3revbBu8m1-g5xr6FYB9JlFQEbDss0dqlJd05Z7ZQsUftsJZ8A79SuaTHCzFVg_xNWsCRXnRZ8Pzeo6c1DrKkHTqv4hH9zZNytsKGHON81vLjwn9Sltx6oKjBkIo1HRihGYKIQGIElKuxNh8q4is0UtR7csgBt6aA8Si-ouls8f5IFc9igOcYc6ypqxmyad4f9ikgRwDvXmVRbzEspfmCmzr4YWMSZXj66B7gNyXXUkm8sFsbiqx-KbOlI0YTVo_sr0X4Xy90syS3sXeVkN3Sog3DyJ0CiUvG5pJyPnUmRoXGyi6Ezmg-2MH1xDQf_GbNzoDMw99Ld5LImCEyXoHMt6oyewMEb5rg9xaK3ZAoUCanOY0x7arEKUSEq3HqIa_QllOJa7fafvgqACFM-JLG0RTl_s-TeTHj98VsZC_skQMDfZYfWFSLtfls2xQqk4eFEv6_Xg_zi63vJz7USNFpYfekPLxM66XPfYx43ZfNGeOXrMZ_BYQVs0dc0crRY0gbv0ohUCBXZTElrtDaCr5TqCpv3YhXkh81ASmtkZKq8mreQ-9SmKjXeyZl60rJaVQOR1uBbqjTmawpORf_ScoYGC1ZeVmjLAD7DCS83a5Gh1YBmBSk71lmbuqWKB77AudEyfqWnJ5kHuEYrH-pE69sr7-gxQ3ZJRyFoi6h6fhjuBwEPZLxq0f2VmB9pQ5cyGZO-ZHZg544d6Yxi78jvNWYu3kXCmEFHjycSC33Sy4UQonWZIkjLNPnWFq1KE9eIYf-UgEoVQsGMJ5oIfirFPp37v5sf26jZfCTyDejUoefslKpWUiHlURHqdWnmlCIV61tCv2faEeOL4UYvpoB0FxRj6-1XVWqQzM_E5K1yq5_Cr1FqkWkxwiKpeQCdFOl3CUoMzqafMJhwEx7dgmhsnxTCLE7XFd3x_qZP0gmYzRd-rnHTBDVqsFuIj6y26ebLf1LHz4rqjevrCPTtQ3KnZFxjAjcq46-wMaz8s0zFRTl4cN4mLKgGk232E0p0lKsK-6owyQjA771HoQ0MD9zNzDsRUjITuAccXweE9pB987UqGlWsEEA5E1TJLXLMb9IkcqbLJ4WGwtTFzkCmGS5k9Itwqst-qjsQbOB4KKv-RXVL-HMc7JZ5NsQ7ZKNX0lB7BoKgXq_RSSuYbLHNCogwFOo9-PAPgamjFzmLt-0Idfd_upjXJ-KHg6yX1UX3n2C2IgDd4vPsQtTbPZBJcMtKWxke3ptR_F98FacdsD3Sn6umqv8cDWazKbQnVAYbEwW7HNH-_p4brzidFncS3AZWsrYiibJN9fiNUI26QXVe0PGMw9Lk_Uk8QNX449Qq0shAVrWw6RzTyNizsnkG63XuqSKlkNVj1zpsVXxCJwYqpw9iXV1scN5epCd9__sblRC6o', 1794820372231, 1794820372231, null);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'hour', 1794819600000, 'infrastructure-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'day', 1794787200000, 'infrastructure-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'month', 1793491200000, 'infrastructure-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'hour', 1794819600000, 'payment-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'day', 1794787200000, 'payment-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'month', 1793491200000, 'payment-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'hour', 1794819600000, 'supply-chain-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 2, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'day', 1794787200000, 'supply-chain-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 2, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'month', 1793491200000, 'supply-chain-risk', 'key_dKzzX3Y4LKMSo0ECn7Bo', 1, 1, 0, 2, 0);
insert into usage_progress (organisation_id, entry_seq) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 7);
insert into invitation (id, organisation_id, role, digest, email, created_at, expires_at, accepted_at, accepted_by, revoked_at) values ('inv_KCBHk9RwIJr8wYlcfCHu', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'developer', 'ecf0b75a3417906bc229de981796b83044636db0eea37af30e3fe39b5c83117b', null, 1794820382368, 1795425182368, null, null, null);
insert into invitation (id, organisation_id, role, digest, email, created_at, expires_at, accepted_at, accepted_by, revoked_at) values ('inv_KoMhD2MjDrs8RKMLYfLa', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'developer', 'ad905852b2595cc6d421f59026efeebfc516f1be1cfc8f46706f18dbe67327bc', null, 1794820382442, 1795425182442, 1794820382682, 'usr_aIu5Qx7YFXmgfobwWFxM', null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_uAhekKA0RwFzjPi03sv9', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820375760, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'organisation.update', 'org_L7Yn9KY2Wj7VtpUGeVjz', '{"name":{"from":"On growth","to":"On growth, renamed"}}', '127.0.0.1', 'req_KTugwxni8iEn0000000E');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_yZnzmE9DhFgAuGAjGeIw', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820375828, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'alert.create', 'alr_ob6PMyIyI5WyX7E9I7MS', '{"kind":"credit_below","threshold_pence":100}', '127.0.0.1', 'req_KTugwxni8iEn0000000F');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_afdBElmOd0QxkTcklDvn', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820375846, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'top_up.create', 'top_QgHKyiAPIvd7T2yM2TNI', '{"amount_pence":2500}', '127.0.0.1', 'req_KTugwxni8iEn0000000G');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_ssWHv7WdO5V70ck1eBb6', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820376738, 'operator', 'operator', null, 'invoice.settle', 'top_QgHKyiAPIvd7T2yM2TNI', '{"number":1,"total_pence":2500,"reference":"bank 4711"}', null, null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_yoDL3sJ05zHh7b8VAtLC', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820376902, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'top_up.create', 'top_eVMB7rsFvr9iBOjbK3T2', '{"amount_pence":3000}', '127.0.0.1', 'req_KTugwxni8iEn0000000H');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_gHWMdbssQP2dM7uoejER', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820376919, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'key.create', 'key_EtDxZUgh8ez8PuPF2hwn', '{"name":"to be replaced","scopes":["risk:payment"],"expires_at":null}', '127.0.0.1', 'req_KTugwxni8iEn0000000I');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_3RA50tVKZAgHG97BEDoU', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820377009, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'key.rotate', 'key_EtDxZUgh8ez8PuPF2hwn', '{"replaced_by":"key_FKFDFz9cqxR7XgrleYlL","grace_hours":1}', '127.0.0.1', 'req_KTugwxni8iEn0000000J');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_IuetoecKSbsul3UK87mH', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820377026, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'key.create', 'key_E5tACtOvC6VQR539mwAA', '{"name":"ended","scopes":["risk:payment"],"expires_at":null}', '127.0.0.1', 'req_KTugwxni8iEn0000000K');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_hRjFc2oIpCqmMjnOwFWq', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820377034, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'key.revoke', 'key_E5tACtOvC6VQR539mwAA', '{"name":"ended"}', '127.0.0.1', 'req_KTugwxni8iEn0000000L');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_VXr0b8Tz8Fq29jLBUCvT', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820382368, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'invitation.create', 'inv_KCBHk9RwIJr8wYlcfCHu', '{"role":"developer"}', '127.0.0.1', 'req_KTugwxni8iEn0000000M');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_48gq4s334wavwGEfbBso', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820382442, 'api_key', 'key_geOwI6dokMwo4XF0yacv', 'everything', 'invitation.create', 'inv_KoMhD2MjDrs8RKMLYfLa', '{"role":"developer"}', '127.0.0.1', 'req_KTugwxni8iEn0000000N');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_ObEX0pEvV8PaXzv5Plsw', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1794820382682, 'person', 'usr_aIu5Qx7YFXmgfobwWFxM', 'Eve', 'member.join', 'usr_aIu5Qx7YFXmgfobwWFxM', '{"role":"developer","invitation_id":"inv_KoMhD2MjDrs8RKMLYfLa"}', '127.0.0.1', 'req_KTugwxni8iEn0000000O');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_EV2bwdhKUel8OuKIDPva', 'org_kMJsHjHULnJyLjUH75mQ', 1794820387381, 'person', 'usr_B9aOMYfnNDGzhRWkNJ3j', 'paying', 'checkout.complete', 'chk_1qzruYlADqdA6WV5wbdk', '{"plan":"growth","terms_accepted":true}', '127.0.0.1', 'req_KTugwxni8iEn0000000b');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_P3oyaoFgnFrUE5H86lPa', 'org_uLJ0CGkDDxMdp7Mkm06N', 1794820387497, 'person', 'usr_FVF2AxfYXVlt2htZprZl', 'waiting', 'checkout.complete', 'chk_sLSLB9rqMiU36JzLFNse', '{"plan":"growth","terms_accepted":true}', '127.0.0.1', 'req_KTugwxni8iEn0000000c');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_sBy5n5VINU7GXxXQ8QYd', 'org_kMJsHjHULnJyLjUH75mQ', 1794820389749, 'operator', 'operator', null, 'invoice.settle', 'bil_WzMQ0u8OHYu89qjTgeHd', '{"number":1,"total_pence":9900,"reference":"bank 4712"}', null, null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_2M2taCW6EGKk0n7NobTp', 'org_kMJsHjHULnJyLjUH75mQ', 1794820389943, 'system', 'checkout', null, 'key.create', 'key_nAX7v7500BCKqxQGGhqG', '{"name":"first key","checkout_id":"chk_1qzruYlADqdA6WV5wbdk"}', '127.0.0.1', 'req_KTugwxni8iEn0000000d');
insert into subscription (organisation_id, status, provider, next_plan_id, ends_at_period_end, started_at, stopped_at, billed_period, closed_period, payer, payment_method, updated_at) values ('org_kMJsHjHULnJyLjUH75mQ', 'active', 'invoice', null, 0, 1794820387381, null, '2026-11', '2026-10', null, null, 1794820387381);
insert into subscription (organisation_id, status, provider, next_plan_id, ends_at_period_end, started_at, stopped_at, billed_period, closed_period, payer, payment_method, updated_at) values ('org_uLJ0CGkDDxMdp7Mkm06N', 'active', 'invoice', null, 0, 1794820387497, null, '2026-11', '2026-10', null, null, 1794820387497);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('top_QgHKyiAPIvd7T2yM2TNI', 'org_L7Yn9KY2Wj7VtpUGeVjz', 1, 'top_up', 'paid', '[{"kind":"top_up","month":"2026-11","description":"Prepaid credit","amount_pence":2500}]', 2500, 0, 1794820375846, 1796029975846, 1794820376738, 'bank 4711', null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('top_eVMB7rsFvr9iBOjbK3T2', 'org_L7Yn9KY2Wj7VtpUGeVjz', 2, 'top_up', 'open', '[{"kind":"top_up","month":"2026-11","description":"Prepaid credit","amount_pence":3000}]', 3000, 0, 1794820376902, 1796029976902, null, null, null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('bil_kKHqTE22U3TF3utQXdoP', 'org_uLJ0CGkDDxMdp7Mkm06N', 1, 'subscription', 'open', '[{"kind":"plan","month":"2026-11","description":"Growth, 2026-11","amount_pence":9900}]', 9900, 0, 1794820387497, 1796029987497, null, null, null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('bil_WzMQ0u8OHYu89qjTgeHd', 'org_kMJsHjHULnJyLjUH75mQ', 1, 'subscription', 'paid', '[{"kind":"plan","month":"2026-11","description":"Growth, 2026-11","amount_pence":9900}]', 9900, 0, 1794820387381, 1796029987381, 1794820389749, 'bank 4712', null);
insert into checkout (id, organisation_id, claim_digest, invoice_id, created_at, claimed_at, key_id) values ('chk_sLSLB9rqMiU36JzLFNse', 'org_uLJ0CGkDDxMdp7Mkm06N', 'bbf0b7319e6bdfedcbb399e43aa466e063ddffd4eb82249546286d68bb0bc269', 'bil_kKHqTE22U3TF3utQXdoP', 1794820387497, null, null);
insert into checkout (id, organisation_id, claim_digest, invoice_id, created_at, claimed_at, key_id) values ('chk_1qzruYlADqdA6WV5wbdk', 'org_kMJsHjHULnJyLjUH75mQ', '64ea0a5399a9901b8e1089e875f4108e6891534e413527637d5b75902ac8af93', 'bil_WzMQ0u8OHYu89qjTgeHd', 1794820387381, 1794820389943, 'key_nAX7v7500BCKqxQGGhqG');
insert into billing_alert (id, organisation_id, kind, threshold_pence, created_at, triggered_at) values ('alr_ob6PMyIyI5WyX7E9I7MS', 'org_L7Yn9KY2Wj7VtpUGeVjz', 'credit_below', 100, 1794820375828, null);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'hour', 1794819600000, 5, 6, 0, 11, 0);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'day', 1794787200000, 5, 6, 0, 11, 0);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_L7Yn9KY2Wj7VtpUGeVjz', 'month', 1793491200000, 5, 6, 0, 11, 0);
insert into operator_person (person_id, created_at) values ('usr_wpTuaCGJuR3qlupNcx8m', 1794820382251);
