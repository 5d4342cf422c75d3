-- A database of Assay 1.0.0 on sqlite, filled by its own verbs and API (test/released/make.ts).
CREATE TABLE store_notice (id integer primary key autoincrement, channel text not null,
      payload text not null, origin text not null, created_at bigint not null);
CREATE TABLE schema_migration
    (name text primary key, checksum text not null, applied_at bigint not null);
CREATE TABLE organisation (
  id text primary key,
  name text not null,
  state text not null check (state in ('active', 'disabled', 'inactive')),
  created_at bigint not null,
  updated_at bigint not null
);
CREATE TABLE api_key (
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
CREATE TABLE billing_account (
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
CREATE TABLE stored_response (
  organisation_id text not null,
  key text not null,
  request_hash text not null,
  status bigint not null,
  body text not null,
  created_at bigint not null,
  primary key (organisation_id, key)
);
CREATE TABLE feed (
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
CREATE TABLE snapshot (
  version text primary key,
  built_at bigint not null,
  bytes bigint not null,
  chunks bigint not null,
  published_at bigint not null,
  sequence bigint not null unique
);
CREATE TABLE snapshot_chunk (
  version text not null references snapshot (version) on delete cascade,
  number bigint not null,
  data blob not null,
  primary key (version, number)
);
CREATE TABLE person (
  id text primary key,
  email text not null unique,
  email_verified integer not null default 0,
  name text not null,
  password_hash text not null,
  state text not null check (state in ('active', 'disabled')),
  created_at bigint not null,
  updated_at bigint not null
);
CREATE TABLE membership (
  person_id text not null references person (id),
  organisation_id text not null references organisation (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at bigint not null,
  primary key (person_id, organisation_id)
);
CREATE TABLE console_session (
  digest text primary key,
  person_id text not null references person (id),
  created_at bigint not null,
  expires_at bigint not null
);
CREATE TABLE attempt_window (
  key text primary key,
  attempts integer not null,
  ends_at bigint not null
);
CREATE TABLE oauth_client (
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
CREATE TABLE oauth_record (
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
CREATE TABLE oauth_key (
  sequence integer primary key,
  kid text not null unique,
  sealed text not null,
  created_at bigint not null,
  signs_at bigint not null,
  retires_at bigint
);
CREATE TABLE usage_rollup (
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
CREATE TABLE usage_progress (
  organisation_id text primary key,
  entry_seq bigint not null
);
CREATE TABLE invitation (
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
CREATE TABLE audit_entry (
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
CREATE TABLE subscription (
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
CREATE TABLE invoice (
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
CREATE TABLE checkout (
  id text primary key,
  organisation_id text not null references organisation (id),
  claim_digest text not null,
  invoice_id text references invoice (id),
  created_at bigint not null,
  claimed_at bigint,
  key_id text
);
CREATE TABLE payment_event (
  id text primary key,
  received_at bigint not null
);
CREATE TABLE billing_alert (
  id text primary key,
  organisation_id text not null references organisation (id),
  kind text not null check (kind in ('credit_below', 'overage_above')),
  threshold_pence bigint not null,
  created_at bigint not null,
  triggered_at bigint
);
CREATE TABLE "ledger_entry" (
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
);
CREATE TABLE usage_total (
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
CREATE TABLE operator_person (
  person_id text primary key references person (id),
  created_at bigint not null
);
insert into store_notice (id, channel, payload, origin, created_at) values (1, 'oauth', 'people', 'b6b6ccb8-58f1-4679-994d-36c1de81e3ec', 1794820335709);
insert into schema_migration (name, checksum, applied_at) values ('0001_identity', '7d9393277f9532fd656b2ccd40e89ab7b6b388730e377e9e27f5a3c41e695c45', 1794820298222);
insert into schema_migration (name, checksum, applied_at) values ('0002_billing', '07a9a24c678f7fb564ae135fae45d11bbc8e6c3ab80239ebb3058dc308b66aae', 1794820298226);
insert into schema_migration (name, checksum, applied_at) values ('0003_feeds', 'd781b6b7d5f34563e2686d76c68b73f0a9d0434f58240c5f175275ffb006132c', 1794820298227);
insert into schema_migration (name, checksum, applied_at) values ('0004_snapshots', '155563f5752408e635dd8b06d00b448d4adbabfe12d43c651be2e9fc68f6f9f0', 1794820298228);
insert into schema_migration (name, checksum, applied_at) values ('0005_people', '3e4ce69e6393fd64d0df00af29b305730e0a6951403db5b6e9df8d78e4c1c1df', 1794820298231);
insert into schema_migration (name, checksum, applied_at) values ('0006_oauth', '89ca2f5fb324104ef9a824f75a9d9c326036e34004ff084ba4a82c4f378183cb', 1794820298234);
insert into schema_migration (name, checksum, applied_at) values ('0007_usage', '2e81d4ae49c9ae21141192436da3ff1db8df025c4211ceea646ec46e2b749518', 1794820298239);
insert into schema_migration (name, checksum, applied_at) values ('0008_organisation_resources', '1eb818cadf93c32ce22a2c137726a463091a97ca2f2fae15f04eea02ea47869b', 1794820298241);
insert into schema_migration (name, checksum, applied_at) values ('0009_subscriptions', 'abe7254f5d85206636526a79905997d2c03293b3e43772f036b975efdda1520d', 1794820298247);
insert into schema_migration (name, checksum, applied_at) values ('0010_usage_total', '64da3d28fdd4ab94b2bf14feaf7655d1b1c59874ffbae47d4590c3df06ffc861', 1794820298249);
insert into schema_migration (name, checksum, applied_at) values ('0011_operator', 'ae3781c6572ed0656d36e9f7169a472ed65b10441898be591c46c30783c93d9a', 1794820298256);
insert into organisation (id, name, state, created_at, updated_at) values ('org_ylxSzKdB4nvb5Noc1E86', 'On free', 'active', 1794820298259, 1794820298259);
insert into organisation (id, name, state, created_at, updated_at) values ('org_opARhDZXCCVb0U9i7VGb', 'On prepaid', 'active', 1794820301299, 1794820301299);
insert into organisation (id, name, state, created_at, updated_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 'On growth, renamed', 'active', 1794820303529, 1794820327066);
insert into organisation (id, name, state, created_at, updated_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 'On enterprise', 'active', 1794820306987, 1794820306987);
insert into organisation (id, name, state, created_at, updated_at) values ('org_ksyf3fyRMJM4ZpWC20yp', 'Signed up, paying', 'active', 1794820342686, 1794820342686);
insert into organisation (id, name, state, created_at, updated_at) values ('org_gnbzRR1iUlYKH6x0Sb18', 'Signed up, waiting', 'active', 1794820342794, 1794820342794);
insert into organisation (id, name, state, created_at, updated_at) values ('org_tcAV4nax7NrqonUXvwNz', 'Disabled', 'disabled', 1794820348759, 1794820350009);
insert into organisation (id, name, state, created_at, updated_at) values ('org_XUjICgNespAHyhunQ1ms', 'Deactivated', 'inactive', 1794820351070, 1794820352685);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_BoYqWP8uR6S1aJSGkVIi', 'org_ylxSzKdB4nvb5Noc1E86', 'first key', 'd476625a9f8e1fc1e79ba3b963b07c2007968b8610bd07f125af4a3e6bcdf335', 'ask_c4mO', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820298259, null, 1794820323885, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_Vlg4keSeYryD3HEih3eL', 'org_opARhDZXCCVb0U9i7VGb', 'first key', '6f36bc0f1ff7858303e889d3885e2400c78a68442f72e83fb336c8504ac12dbd', 'ask_MF0E', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820301299, null, 1794820324562, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_JBRCaOjIhafVX6E7fMr9', 'org_Ug6LvXRgsj4lab7rmC5b', 'first key', '41ec4413a67feb63e21ad69d2a82e7c5be1dfdf8a5c03d987c9798ef65df9a40', 'ask_YKW5', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820303529, null, 1794820327032, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_CkY9eaVmfa5BKgdikIMS', 'org_DY15ATvnBm8oMKB6Wkw8', 'first key', '72093ce3d07e4bba51d5b9da16d9f9036ee3b563149f06bec999b42722a84ca5', 'ask_PDB7', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820306987, null, 1794820324880, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_kxfZn8eFn6WXMeKh5o8X', 'org_Ug6LvXRgsj4lab7rmC5b', 'everything', 'a0b42ae5008662cb8b76817c4a44654e05ad8009a7b9ab6b7a38454b5dc31433', 'ask_Ics8', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', 1794820326717, null, 1794820335190, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_7T47210ifKOLnEaUnXg1', 'org_Ug6LvXRgsj4lab7rmC5b', 'to be replaced', 'dfc6358fb595e60c1fdeab3a32c55fd017397d01d306c0deefadfb0dcb1ebc70', 'ask_7bBw', 'risk:payment', 1794820329360, 1794823929370, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_zqZ6mK3eQXt3jJRCiBUn', 'org_Ug6LvXRgsj4lab7rmC5b', 'to be replaced', '8c49a8c75964e18f73f96bc5a102a7d6c058897e7abf2e32542cf334af1b92d6', 'ask_KYr2', 'risk:payment', 1794820329370, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_qtsxBj6A23TdeFnFKRca', 'org_Ug6LvXRgsj4lab7rmC5b', 'ended', 'a2b81b29865868b882efa5ee4600d4718742fcba023b0b09fd5a6467a321207f', 'ask_pEqr', 'risk:payment', 1794820329378, null, null, 1794820329384);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_PtToXpTTSRcBdrZ0VQoI', 'org_ksyf3fyRMJM4ZpWC20yp', 'first key', '65c0fd44ba97cde4eb96a25abc8c0d44e41f9b56c2014a7ad2f5c8b4e7148d45', 'ask_srKJ', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820347590, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_hUOPLci7Y8EMslo0cvrC', 'org_tcAV4nax7NrqonUXvwNz', 'first key', 'aca0b8c0ed886059c6e9b90f9e66afd2ab3ef1542055137a38b1a4c0781f975d', 'ask_UePW', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820348759, null, null, null);
insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at, last_used_at, revoked_at) values ('key_WxcuNzOA2j9lbQTY5rRP', 'org_XUjICgNespAHyhunQ1ms', 'first key', '0dd36871c907a878bea01cca645393d7570cf191237b63ef872e9622eb1be087', 'ask_frgn', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', 1794820351070, null, null, null);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_ylxSzKdB4nvb5Noc1E86', 'free', '2026-11', 0, 5000, 0, 0, 3, 4, 1794820298259, 1794820324259);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_opARhDZXCCVb0U9i7VGb', 'prepaid', '2026-11', 0, 4994, 0, 0, 0, 4, 1794820301299, 1794820324686);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 'growth', '2026-11', 11989, 7500, 0, 11, 0, 8, 1794820303529, 1794820329128);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 'enterprise', '2026-11', 149997, 5000, 0, 3, 0, 5, 1794820306987, 1794820324906);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_ksyf3fyRMJM4ZpWC20yp', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820342686, 1794820342686);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_gnbzRR1iUlYKH6x0Sb18', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820342794, 1794820342794);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_tcAV4nax7NrqonUXvwNz', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820348759, 1794820348759);
insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence, free_units_used, entry_seq, created_at, updated_at) values ('org_XUjICgNespAHyhunQ1ms', 'growth', '2026-11', 12000, 0, 0, 0, 0, 1, 1794820351070, 1794820351070);
insert into stored_response (organisation_id, key, request_hash, status, body, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 'sent-before-the-upgrade', '5315420e305f0f66d60cc6f75f77f3e22073075447ef69ebe613465295b374ea', 200, '{"endpoint":"payment-risk","risk":"low","risk_score":10,"source_type":"payment_scan","target":"sha256:b0f102de8565bd8e033b55bad28e981730f9f3cdd63995b62d47157802146b19","charged":true,"is_free":false,"unit_price_pence":2,"billable_units":1,"total_price_pence":2,"charged_from_credit_pence":2,"overage_pence":0,"remaining_credit_pence":16989}', 1794820327045);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_ieqaMU6T5v0UzTezmSbv', 'ann@company.example', 0, 'Ann', '$argon2id$v=19$m=19456,t=2,p=1$4kdnzsKIB7ho+b423YJ3Yw$Ry9VzNivoXLIWAP3qrwvQGxEPT1o/Dp8H5UJlgDxvno', 'active', 1794820331207, 1794820331207);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_lpJ0B9QMeyqPdDDJCJQN', 'bob@company.example', 0, 'Bob', '$argon2id$v=19$m=19456,t=2,p=1$prRwI0VKEQaDah25hK0pwg$k47A5yTDEoZzNg2UhN8OkpzJU7FI0nPIeydGpv1H4t8', 'active', 1794820333424, 1794820333424);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_ALgRL3TLzzldRsP4LrUt', 'eve@company.example', 0, 'Eve', '$argon2id$v=19$m=19456,t=2,p=1$BYDqxG455YS3zadC1Lseew$tFBmz8v/PvrKrKdh+D4mY6vQ4tqBpNuTcm28qQrLq6E', 'active', 1794820335576, 1794820335576);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_apqqz5TbSXxmwqwiOjlo', 'paying@company.example', 0, 'paying', '$argon2id$v=19$m=19456,t=2,p=1$1rVXnfMpXm3fplpu2uLTVw$RyzH+WLamRDj8flg8k1uq7gH/5JG8/VbT9zlN/Sn33c', 'active', 1794820342686, 1794820342686);
insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at) values ('usr_yz3qH4MaHDxtmrve5BJs', 'waiting@company.example', 0, 'waiting', '$argon2id$v=19$m=19456,t=2,p=1$GFz4es87jhYgruiwJnxMXA$qcSA1CO9VG+LgIOncDllpGLaCkQDcVPczoUybdHWEwA', 'active', 1794820342794, 1794820342794);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_ieqaMU6T5v0UzTezmSbv', 'org_Ug6LvXRgsj4lab7rmC5b', 'owner', 1794820331207);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_lpJ0B9QMeyqPdDDJCJQN', 'org_Ug6LvXRgsj4lab7rmC5b', 'viewer', 1794820333424);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_ALgRL3TLzzldRsP4LrUt', 'org_Ug6LvXRgsj4lab7rmC5b', 'developer', 1794820335576);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_apqqz5TbSXxmwqwiOjlo', 'org_ksyf3fyRMJM4ZpWC20yp', 'owner', 1794820342686);
insert into membership (person_id, organisation_id, role, created_at) values ('usr_yz3qH4MaHDxtmrve5BJs', 'org_gnbzRR1iUlYKH6x0Sb18', 'owner', 1794820342794);
insert into console_session (digest, person_id, created_at, expires_at) values ('7d6f904428c1b1e8c427f11941b616506532d14187fbaf3cb3014fe260010d5b', 'usr_ieqaMU6T5v0UzTezmSbv', 1794820342535, 1794863542535);
insert into attempt_window (key, attempts, ends_at) values ('7250929b8c962854ca214dad4f7c8bbc43d79eeb86b0765d1e1b08ae24688506', 1, 1794821235275);
insert into attempt_window (key, attempts, ends_at) values ('3320310d639d3265196d176caf417717d0feeb949956dcb5c963087d3bffe55b', 0, 1794821241796);
insert into attempt_window (key, attempts, ends_at) values ('8119fd02f8d97c4c6284fe0f06eb0f3ec0ff58d72b67137e00e475cf31e322c2', 2, 1794823942548);
insert into attempt_window (key, attempts, ends_at) values ('22ce4884c123b3e555f265b783daa8afd47208320e3e7de0daecf6cc5c0c3364', 1, 1794823947588);
insert into oauth_client (id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks, state, created_at, updated_at) values ('cli_HGxKoCH3Q9YMhwJMaFsb', 'org_Ug6LvXRgsj4lab7rmC5b', 'service', 'Service', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk', '[]', '[]', 'de58d76c4033fb00a89fa1b5c4f26b45427d186a01e8afad542c06e99cd0d27e', null, 'active', 1794820337505, 1794820337505);
insert into oauth_client (id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks, state, created_at, updated_at) values ('cli_0gLDJRV6H79kg2vw1Hnc', 'org_Ug6LvXRgsj4lab7rmC5b', 'web', 'Web', 'openid offline_access risk:payment risk:supply-chain risk:infrastructure risk:bulk', '["http://localhost:9999/back"]', '[]', '575880ad8f836b3260523558105e8394216d25fbde7a24c07e7da429460e2cc8', null, 'active', 1794820341240, 1794820341240);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('197ec91577f9cbbc34fc8635e68ad28052c2459ae87bc78a3cf2766eca48acca', 'ClientCredentials', '{"iat":1794820341,"exp":1794823941,"scope":"risk:payment","kind":"ClientCredentials","clientId":"cli_HGxKoCH3Q9YMhwJMaFsb","extra":{"organisation_id":"org_Ug6LvXRgsj4lab7rmC5b"}}', 'cli_HGxKoCH3Q9YMhwJMaFsb', null, null, null, 'risk:payment', null, null, 1794820341445, 1794823941000, 1794827541000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('dadcaaac2f95ed150986abe57c325f4823f7080ca3709caff29fc8456577c7da', 'Grant', '{"iat":1794820342,"exp":1810458742,"accountId":"usr_ieqaMU6T5v0UzTezmSbv","clientId":"cli_0gLDJRV6H79kg2vw1Hnc","kind":"Grant","openid":{"scope":"openid offline_access risk:payment"}}', 'cli_0gLDJRV6H79kg2vw1Hnc', 'usr_ieqaMU6T5v0UzTezmSbv', null, 'org_Ug6LvXRgsj4lab7rmC5b', null, null, null, 1794820342170, 1810458742000, 1810462342000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('4c5e4afaf886fb6e4dd5da0f70fb4b017f1b3da74cf394c495d2dfa6e91e605a', 'AuthorizationCode', '{"iat":1794820342,"exp":1794820402,"accountId":"usr_ieqaMU6T5v0UzTezmSbv","amr":["pwd"],"authTime":1794820342,"codeChallenge":"HzyW-f25MFtsJiPNkFM_ixlUh_SbxjnROGlvkONYThE","codeChallengeMethod":"S256","grantId":"sOd-b_Wl-of1ZkaZh4sbomaQ7A6sECnz9gewDt0PM00","redirectUri":"http://localhost:9999/back","scope":"openid offline_access risk:payment","sessionUid":"wH3dAOXSN2Jt0yhk615bsDOY5ucraUcZEd9X2buh8AS","kind":"AuthorizationCode","clientId":"cli_0gLDJRV6H79kg2vw1Hnc"}', 'cli_0gLDJRV6H79kg2vw1Hnc', 'usr_ieqaMU6T5v0UzTezmSbv', 'dadcaaac2f95ed150986abe57c325f4823f7080ca3709caff29fc8456577c7da', null, 'openid offline_access risk:payment', null, null, 1794820342196, 1794820402000, 1794906802000, 1794820342240, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('d10a656f45155411372868a50c2756c0f65a189f08cf789eb3f265656662a17a', 'Session', '3R5ZdQMhOMm9D6ARk_zawW5UGQQee-bDobyFTacVeEtogvfblxyfMRboo1Rw9nZZiIQRfX-91oWs6Cij_u_P8iaik2C0ytYlIcVLvm_ZT2BqC2_GGqk2c7CIbqh9CEL2FH7m4w_z_EdMwRwMCaQsZ00vvQhB3MPuBED3ZlyTh6BEjmCABVOnssPia490y0NosfI-2wyz8qbC4oQON3frwBBSMPvj9MEUnBMO4cJgLe5rtNMZtp7m_DUiYaBQbow8dCqmfrPLtnRf8FY3SFpaoVUkV-iin-f5sWask4MsaX6WdaK8YK7wSWARWC3hglTc1EnJb0OoZaOonCsI3uGZrlvcaW6uWJ-9OCuMVaNzG40xUnpoMmbUoXemSE0RU6Tsr5LS-3hO8_z6oiN0_DSBvrE65jsw3Vb5V0l4b2cBKsAxDL_3jdYeHZJqCxiRoDVf9xT8n00bz2wW7RaeecZrVB64QRDC4mXeNlQi3HRyuvpPMN_rih0CxVvuDeC9v46adj6f2nv90Qb2ducbyEsTCRODSVr7zrk30NoKIbyTHyOAM8oE0AOgkbJ2JqKnLD98wpI5SQ', null, 'usr_ieqaMU6T5v0UzTezmSbv', null, null, null, '64b5425356216e51f7243d83c5546476a826a9edad291893f35c7a09f24c8ee4', null, 1794820342213, 1794863542000, 1794867142000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('5d5a167fe9edb4f4e7930b961f846c8476403265b46db03c08b30594fe6995aa', 'AccessToken', '{"iat":1794820342,"exp":1794823942,"accountId":"usr_ieqaMU6T5v0UzTezmSbv","grantId":"sOd-b_Wl-of1ZkaZh4sbomaQ7A6sECnz9gewDt0PM00","gty":"authorization_code","sessionUid":"wH3dAOXSN2Jt0yhk615bsDOY5ucraUcZEd9X2buh8AS","kind":"AccessToken","clientId":"cli_0gLDJRV6H79kg2vw1Hnc","scope":"openid offline_access risk:payment","extra":{"organisation_id":"org_Ug6LvXRgsj4lab7rmC5b"}}', 'cli_0gLDJRV6H79kg2vw1Hnc', 'usr_ieqaMU6T5v0UzTezmSbv', 'dadcaaac2f95ed150986abe57c325f4823f7080ca3709caff29fc8456577c7da', null, 'openid offline_access risk:payment', null, null, 1794820342248, 1794823942000, 1794827542000, null, null, null, null, null);
insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, organisation_id, scope, uid_digest, user_code_digest, issued_at, expires_at, purge_at, consumed_at, claimed_at, polled_at, poll_interval_ms, polled_early) values ('4d36c00d0321eb8bfdd5309dba35a6dec701c6cbba5125fa9be66f0ddb345af7', 'RefreshToken', '{"iat":1794820342,"exp":1797412342,"accountId":"usr_ieqaMU6T5v0UzTezmSbv","amr":["pwd"],"authTime":1794820342,"grantId":"sOd-b_Wl-of1ZkaZh4sbomaQ7A6sECnz9gewDt0PM00","gty":"authorization_code","rotations":0,"scope":"openid offline_access risk:payment","sessionUid":"wH3dAOXSN2Jt0yhk615bsDOY5ucraUcZEd9X2buh8AS","kind":"RefreshToken","clientId":"cli_0gLDJRV6H79kg2vw1Hnc","iiat":1794820342}', 'cli_0gLDJRV6H79kg2vw1Hnc', 'usr_ieqaMU6T5v0UzTezmSbv', 'dadcaaac2f95ed150986abe57c325f4823f7080ca3709caff29fc8456577c7da', null, 'openid offline_access risk:payment', null, null, 1794820342255, 1797412342000, 1797498742000, null, null, null, null, null);
insert into oauth_key (sequence, kid, sealed, created_at, signs_at, retires_at) values (1, 'pqG_gLbaTIiq51iN', 'l6dtzx2y3xn5aGa8SIXU-MHUARkg5NYJ42QrnQSKYpaC3oXidsC5rr1yr2FcVaLX8PYmCxYtPeAXotXbp1nT5T0PN3nCNMtAGioFH30Nk-3ljrlPUD1YWjjCBAsFCivsB1r6nI-bm1KOpjoPcc8eEeGCfa0l2upaOdU8s8HuPrWMFSS4mFtpHLjPtaxZzD5tH9bmdfgnUn6Y7ZrJTNJrXeW_Z_tXowh3GZD9PsRVRMWspvjl3gU1rXruhOomwF1ByIm17krquHMi5lFRmpd5OUt9LeWtGWiZIl2VAey7KTHCAa6jUJmhs0d_s0JMz0SUfY0oQac08ulkvNVfIoDlGTNQQy9K-8qGks7qc0hHTXMvdNPfjXIm4rGneLJX4l7b7Kg2Iueo4gdlC3Pp1yaS7a7EEDpQnbfCtpjgAm-CoNoIos4kacnF_pCkB9pf68ffrbhRjbD6DCQ8OU7bNLY7JqFQ3IauZ-e-04qKkOGLGsc6Mz5J_JtKTC2PJGrDlUeM1yULlkKcwcYJVp94-IUq-iflxpBOhDekZJx0NJA01iZ_9FywL_FnTI-WOL0yq1zLSuCv9Osd4BQEUXVLiAaRmO2kIcy-Oh6gri4G0xQR6WEMFKj_bi0gE9Kf-rZjdaESq0TpAMfjNW0zo86tm32p_nxpwDh4CIZH1FgUPWV9tZw8u2MG_z95RTnO8tHO7Ty1Rp_QMl580QwVSmYWI-VCgCOqcHoix5soTdwHhwQwKk9pWUTBW33H8nxeHDhxpDs-RnJDYJy77rF_QtpBBenEb3JATEsoUuf4XAqjKkc908EgPaQad84XA78f-m_tCHmWVrqBIMkhRqj0kMZG6boKfSQ_bkz7HrRLm1M1DDpb5f71mhIbOzj3KTnXdPHZlRGx1kFCmIb26iqrIr8NkANTDZCD_u6mtP4wZBviXxY_J9u3IBjSXD8KiLE1UezK1eMjjRAU9Lp8OjdmP0p-XWL46ENm8r4skBkYVcdDojHXC20Yt6e5dIRpFs76yrPVlYAq5DpRfyGmRW7Dyr5R4SZpLa2OPovlI_M9gx2TYb9qg_uqjhivyK8aFRKdmz92ewBw3F6_xomdVJ-OVrJtoPc8DGrOycqHRcecCJNZhJ2NP4C88i_AmKzTycY3k1Sd3xe--KVbayvJxAb97Oe7DDDaUE0aUqv8v31OKOHUeN9T8sO0lFo_wW1O-HSRq8dibAzrIKnzIk-UpgSNIxAzoH0t0Bi4grjk_pAO0JZVELENh7RUZRmYYJKECg7VEKBHfKJEOCB3rpiwlt5H3q6i-7aT6obdWA1G95JY5mOkLNjNDmvgcEj7CePd6RamJ2Uw8lUg8OQszwbqqs2MEWGGlFtnYWh8j0BEljTH3AlefgQ-j5Bl0lDZOs51oqN6d1VnMqeskI-xgX5afR5abmZd0_9uORowIBNkZ9LghdXj5_85vb7M3AEturRIC1MY6u8IOrEucp6B1QnxGZJlQyTvW2nYNrLX695up-Og-ed6jmMnXUQlpzwM6kLyZIAYtYLVFEHtBQvwNBBmOX4GaXwCor2YRSGgFdrIDbkS54k22cbihiCw57ppkXYeMiCbeU9MKS6RWdXyM7GB14r_8tFG4k3O7-Wy96HAmfNJUiCOB9wT0SVDI9GfRPYlf2Yk9tyYeMWXCRBO6yENEFRAag8ZIjZojSMKXZQFZP5X8vx2apUgj8uRrPOLo_RqPJVMcj8kI6xH8_CGmvdLlfc3ibnXcjFC6jDXEssjx7qOP3mKYc_03aUJhdXnIE5K_bgOrhMWpP7udGNohOjvFNFY3jSWOYc2cjmRkjMEHKUlRY9pEyolUXe55GoU01JOKYjzXckb0Eay1z6AhkZCbl_NOPi4Em-9Zjr51gkxf4IKLCsRyPb8KPF_SPESUR0Pxms8fdWcI0eL-_U45rJFE_eCzGHIl-rMWfUMFGN1mUpiYMip6cKVrp7PVwgysetlNd4jWsD1S_oUN_NAlFe17SFOpncvfNlZ4uKUtr6R7-D8cm_MYddhAjydLUWhgpG9yAWgPvLpuIejyc0ADOYaGx7ysvpizAF9rL-twz7Ur12fYbYG4VkpRgfLvfadBvxDSBlpHDVVvkNUbItWIf5PcT4IAkQA2xo4YGUztS2-ZcwAowzaoQWz5x7qNAA7G2dO_-7ztUPTNMd0z6MEm6Wibs0uqovtAB-xLiFyty_ySQUNB5Oo77NuYIsf6rBPEwG-Jd7mfQ_JwQi1I4Ao6z9hm2NLn8c2kpM', 1794820321904, 1794820321904, null);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'hour', 1794819600000, 'infrastructure-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'day', 1794787200000, 'infrastructure-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'month', 1793491200000, 'infrastructure-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 1, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'hour', 1794819600000, 'payment-risk', 'key_JBRCaOjIhafVX6E7fMr9', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'day', 1794787200000, 'payment-risk', 'key_JBRCaOjIhafVX6E7fMr9', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'month', 1793491200000, 'payment-risk', 'key_JBRCaOjIhafVX6E7fMr9', 3, 4, 0, 8, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'hour', 1794819600000, 'supply-chain-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 2, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'day', 1794787200000, 'supply-chain-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 2, 0);
insert into usage_rollup (organisation_id, granularity, starts_at, family, credential_id, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'month', 1793491200000, 'supply-chain-risk', 'key_JBRCaOjIhafVX6E7fMr9', 1, 1, 0, 2, 0);
insert into usage_progress (organisation_id, entry_seq) values ('org_Ug6LvXRgsj4lab7rmC5b', 7);
insert into invitation (id, organisation_id, role, digest, email, created_at, expires_at, accepted_at, accepted_by, revoked_at) values ('inv_WS6PnqovwcYThaIdiTGI', 'org_Ug6LvXRgsj4lab7rmC5b', 'developer', 'c7d55bff5185745dc5306928f01260b067eaec8733fbeda9cd3e854b86432d62', null, 1794820335191, 1795425135191, null, null, null);
insert into invitation (id, organisation_id, role, digest, email, created_at, expires_at, accepted_at, accepted_by, revoked_at) values ('inv_rDPQ8Nq0CLm6Zq6UtMpo', 'org_Ug6LvXRgsj4lab7rmC5b', 'developer', '21a7882e86504d517f7be913ac5ead4cc0a3d2a5656662a208dcf2db93b3efd8', null, 1794820335256, 1795425135256, 1794820335576, 'usr_ALgRL3TLzzldRsP4LrUt', null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_kKcSlfbFzP04J6cN7jZ9', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820327066, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'organisation.update', 'org_Ug6LvXRgsj4lab7rmC5b', '{"name":{"from":"On growth","to":"On growth, renamed"}}', '127.0.0.1', 'req_n9lznhjuESJt0000000E');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_t96cqZFt7OHPyrPB3dIx', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820327082, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'alert.create', 'alr_T30q6EQB2OqV6RWQ3F2a', '{"kind":"credit_below","threshold_pence":100}', '127.0.0.1', 'req_n9lznhjuESJt0000000F');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_vwzK4lBcreJ9e4bxDGR4', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820327089, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'top_up.create', 'top_wiU3bVAl3gBPYaEOSI6S', '{"amount_pence":2500}', '127.0.0.1', 'req_n9lznhjuESJt0000000G');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_T4Vj1vvk1TKC5zWvAsRq', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329128, 'operator', 'operator', null, 'invoice.settle', 'top_wiU3bVAl3gBPYaEOSI6S', '{"number":1,"total_pence":2500,"reference":"bank 4711"}', null, null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_NOy7RDB2ApyZ1pBAsIhZ', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329315, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'top_up.create', 'top_S1izSpuMCsl6jr6QAUS2', '{"amount_pence":3000}', '127.0.0.1', 'req_n9lznhjuESJt0000000H');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_bFyglccx5cNNMqMn6DLs', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329360, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'key.create', 'key_7T47210ifKOLnEaUnXg1', '{"name":"to be replaced","scopes":["risk:payment"],"expires_at":null}', '127.0.0.1', 'req_n9lznhjuESJt0000000I');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_kMqyXEcUkPGwaMIC3kt0', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329370, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'key.rotate', 'key_7T47210ifKOLnEaUnXg1', '{"replaced_by":"key_zqZ6mK3eQXt3jJRCiBUn","grace_hours":1}', '127.0.0.1', 'req_n9lznhjuESJt0000000J');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_0A6BwciPf8QpAx8RTxpB', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329378, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'key.create', 'key_qtsxBj6A23TdeFnFKRca', '{"name":"ended","scopes":["risk:payment"],"expires_at":null}', '127.0.0.1', 'req_n9lznhjuESJt0000000K');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_o5vjJJggSSUXJGJSvLjV', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820329384, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'key.revoke', 'key_qtsxBj6A23TdeFnFKRca', '{"name":"ended"}', '127.0.0.1', 'req_n9lznhjuESJt0000000L');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_GVaUsBgeWLNmAv6Zye7r', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820335191, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'invitation.create', 'inv_WS6PnqovwcYThaIdiTGI', '{"role":"developer"}', '127.0.0.1', 'req_n9lznhjuESJt0000000M');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_ReTnuh6hmAbPb5cGCqFF', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820335256, 'api_key', 'key_kxfZn8eFn6WXMeKh5o8X', 'everything', 'invitation.create', 'inv_rDPQ8Nq0CLm6Zq6UtMpo', '{"role":"developer"}', '127.0.0.1', 'req_n9lznhjuESJt0000000N');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_enSIUYZmoV1qovEdljGQ', 'org_Ug6LvXRgsj4lab7rmC5b', 1794820335576, 'person', 'usr_ALgRL3TLzzldRsP4LrUt', 'Eve', 'member.join', 'usr_ALgRL3TLzzldRsP4LrUt', '{"role":"developer","invitation_id":"inv_rDPQ8Nq0CLm6Zq6UtMpo"}', '127.0.0.1', 'req_n9lznhjuESJt0000000O');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_v9eBkiFJybdCteWoLRXk', 'org_ksyf3fyRMJM4ZpWC20yp', 1794820342686, 'person', 'usr_apqqz5TbSXxmwqwiOjlo', 'paying', 'checkout.complete', 'chk_wPkjIPyV2W9SrRhufFoD', '{"plan":"growth","terms_accepted":true}', '127.0.0.1', 'req_n9lznhjuESJt0000000b');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_RnyoC86X9gVpU2EswrIu', 'org_gnbzRR1iUlYKH6x0Sb18', 1794820342794, 'person', 'usr_yz3qH4MaHDxtmrve5BJs', 'waiting', 'checkout.complete', 'chk_B421u2lxNyEfCNd9ziJ4', '{"plan":"growth","terms_accepted":true}', '127.0.0.1', 'req_n9lznhjuESJt0000000c');
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_mj1n0GO1HWGAvhuuvopA', 'org_ksyf3fyRMJM4ZpWC20yp', 1794820347509, 'operator', 'operator', null, 'invoice.settle', 'bil_samXUWTq7IFtD20WWwfh', '{"number":1,"total_pence":9900,"reference":"bank 4712"}', null, null);
insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id) values ('aud_JFBHavMEP3Q5pscsfBK6', 'org_ksyf3fyRMJM4ZpWC20yp', 1794820347590, 'system', 'checkout', null, 'key.create', 'key_PtToXpTTSRcBdrZ0VQoI', '{"name":"first key","checkout_id":"chk_wPkjIPyV2W9SrRhufFoD"}', '127.0.0.1', 'req_n9lznhjuESJt0000000d');
insert into subscription (organisation_id, status, provider, next_plan_id, ends_at_period_end, started_at, stopped_at, billed_period, closed_period, payer, payment_method, updated_at) values ('org_ksyf3fyRMJM4ZpWC20yp', 'active', 'invoice', null, 0, 1794820342686, null, '2026-11', '2026-10', null, null, 1794820342686);
insert into subscription (organisation_id, status, provider, next_plan_id, ends_at_period_end, started_at, stopped_at, billed_period, closed_period, payer, payment_method, updated_at) values ('org_gnbzRR1iUlYKH6x0Sb18', 'active', 'invoice', null, 0, 1794820342794, null, '2026-11', '2026-10', null, null, 1794820342794);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('top_wiU3bVAl3gBPYaEOSI6S', 'org_Ug6LvXRgsj4lab7rmC5b', 1, 'top_up', 'paid', '[{"kind":"top_up","month":"2026-11","description":"Prepaid credit","amount_pence":2500}]', 2500, 0, 1794820327089, 1796029927089, 1794820329128, 'bank 4711', null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('top_S1izSpuMCsl6jr6QAUS2', 'org_Ug6LvXRgsj4lab7rmC5b', 2, 'top_up', 'open', '[{"kind":"top_up","month":"2026-11","description":"Prepaid credit","amount_pence":3000}]', 3000, 0, 1794820329315, 1796029929315, null, null, null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('bil_samXUWTq7IFtD20WWwfh', 'org_ksyf3fyRMJM4ZpWC20yp', 1, 'subscription', 'paid', '[{"kind":"plan","month":"2026-11","description":"Growth, 2026-11","amount_pence":9900}]', 9900, 0, 1794820342686, 1796029942686, 1794820347509, 'bank 4712', null);
insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at, payment_reference, tried_at) values ('bil_XSHStkVxoAjA6TKFMshi', 'org_gnbzRR1iUlYKH6x0Sb18', 1, 'subscription', 'open', '[{"kind":"plan","month":"2026-11","description":"Growth, 2026-11","amount_pence":9900}]', 9900, 0, 1794820342794, 1796029942794, null, null, null);
insert into checkout (id, organisation_id, claim_digest, invoice_id, created_at, claimed_at, key_id) values ('chk_wPkjIPyV2W9SrRhufFoD', 'org_ksyf3fyRMJM4ZpWC20yp', 'b6289ce2988fbebdd1f11e7833539f09830ee2c0093bb9aed3bc078f1987a4d0', 'bil_samXUWTq7IFtD20WWwfh', 1794820342686, 1794820347590, 'key_PtToXpTTSRcBdrZ0VQoI');
insert into checkout (id, organisation_id, claim_digest, invoice_id, created_at, claimed_at, key_id) values ('chk_B421u2lxNyEfCNd9ziJ4', 'org_gnbzRR1iUlYKH6x0Sb18', '53504d7cc4bbba2e951b4116ee35ab232eae3e3f22ec0848c8e9fea6055686ea', 'bil_XSHStkVxoAjA6TKFMshi', 1794820342794, null, null);
insert into billing_alert (id, organisation_id, kind, threshold_pence, created_at, triggered_at) values ('alr_T30q6EQB2OqV6RWQ3F2a', 'org_Ug6LvXRgsj4lab7rmC5b', 'credit_below', 100, 1794820327082, null);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_ylxSzKdB4nvb5Noc1E86', 1, 'ent_jn7WrOeIUONJhB4hrwgC', 'credit', '2026-11', 'free', null, 0, 0, 0, 0, 5000, 0, 0, 5000, 0, null, null, null, 'opening credit', 1794820298321);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_opARhDZXCCVb0U9i7VGb', 1, 'ent_ZkFThXk0xg12xqHO6FKa', 'credit', '2026-11', 'prepaid', null, 0, 0, 0, 0, 5000, 0, 0, 5000, 0, null, null, null, 'opening credit', 1794820301335);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 1, 'ent_06fvp7R7fUiRSGHogaxv', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820303529);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 2, 'ent_IPJ6ut3DWSJBH1MrczTc', 'credit', '2026-11', 'growth', null, 0, 0, 0, 0, 5000, 0, 12000, 5000, 0, null, null, null, 'opening credit', 1794820303907);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 1, 'ent_YXHQfbasxzhIk52GGWvq', 'grant', '2026-11', 'enterprise', null, 0, 0, 0, 150000, 0, 0, 150000, 0, 0, null, null, null, null, 1794820306987);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 2, 'ent_zEocr5fwzt5tN2Wjsmke', 'credit', '2026-11', 'enterprise', null, 0, 0, 0, 0, 5000, 0, 150000, 5000, 0, null, null, null, 'opening credit', 1794820307019);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_ylxSzKdB4nvb5Noc1E86', 2, 'ent_d9TJfUTANUif00000000', 'charge', '2026-11', 'free', 'payment-risk', 1, 1, 3, 0, 0, 0, 0, 5000, 0, 'key_BoYqWP8uR6S1aJSGkVIi', 'req_n9lznhjuESJt00000000', null, null, 1794820323918);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_ylxSzKdB4nvb5Noc1E86', 3, 'ent_d9TJfUTANUif00000001', 'charge', '2026-11', 'free', 'supply-chain-risk', 1, 1, 2, 0, 0, 0, 0, 5000, 0, 'key_BoYqWP8uR6S1aJSGkVIi', 'req_n9lznhjuESJt00000001', null, null, 1794820324198);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_ylxSzKdB4nvb5Noc1E86', 4, 'ent_d9TJfUTANUif00000002', 'charge', '2026-11', 'free', 'infrastructure-risk', 1, 1, 1, 0, 0, 0, 0, 5000, 0, 'key_BoYqWP8uR6S1aJSGkVIi', 'req_n9lznhjuESJt00000002', null, null, 1794820324259);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_opARhDZXCCVb0U9i7VGb', 2, 'ent_d9TJfUTANUif00000003', 'charge', '2026-11', 'prepaid', 'payment-risk', 1, 0, 3, 0, -3, 0, 0, 4997, 0, 'key_Vlg4keSeYryD3HEih3eL', 'req_n9lznhjuESJt00000003', null, null, 1794820324578);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_opARhDZXCCVb0U9i7VGb', 3, 'ent_d9TJfUTANUif00000004', 'charge', '2026-11', 'prepaid', 'supply-chain-risk', 1, 0, 2, 0, -2, 0, 0, 4995, 0, 'key_Vlg4keSeYryD3HEih3eL', 'req_n9lznhjuESJt00000004', null, null, 1794820324649);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_opARhDZXCCVb0U9i7VGb', 4, 'ent_d9TJfUTANUif00000005', 'charge', '2026-11', 'prepaid', 'infrastructure-risk', 1, 0, 1, 0, -1, 0, 0, 4994, 0, 'key_Vlg4keSeYryD3HEih3eL', 'req_n9lznhjuESJt00000005', null, null, 1794820324686);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 3, 'ent_d9TJfUTANUif00000006', 'charge', '2026-11', 'growth', 'payment-risk', 1, 0, 2, -2, 0, 0, 11998, 5000, 0, 'key_JBRCaOjIhafVX6E7fMr9', 'req_n9lznhjuESJt00000006', null, null, 1794820324717);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 4, 'ent_d9TJfUTANUif00000007', 'charge', '2026-11', 'growth', 'supply-chain-risk', 1, 0, 2, -2, 0, 0, 11996, 5000, 0, 'key_JBRCaOjIhafVX6E7fMr9', 'req_n9lznhjuESJt00000007', null, null, 1794820324745);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 5, 'ent_d9TJfUTANUif00000008', 'charge', '2026-11', 'growth', 'infrastructure-risk', 1, 0, 1, -1, 0, 0, 11995, 5000, 0, 'key_JBRCaOjIhafVX6E7fMr9', 'req_n9lznhjuESJt00000008', null, null, 1794820324795);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 3, 'ent_d9TJfUTANUif00000009', 'charge', '2026-11', 'enterprise', 'payment-risk', 1, 0, 1, -1, 0, 0, 149999, 5000, 0, 'key_CkY9eaVmfa5BKgdikIMS', 'req_n9lznhjuESJt00000009', null, null, 1794820324881);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 4, 'ent_d9TJfUTANUif0000000A', 'charge', '2026-11', 'enterprise', 'supply-chain-risk', 1, 0, 1, -1, 0, 0, 149998, 5000, 0, 'key_CkY9eaVmfa5BKgdikIMS', 'req_n9lznhjuESJt0000000A', null, null, 1794820324891);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_DY15ATvnBm8oMKB6Wkw8', 5, 'ent_d9TJfUTANUif0000000B', 'charge', '2026-11', 'enterprise', 'infrastructure-risk', 1, 0, 1, -1, 0, 0, 149997, 5000, 0, 'key_CkY9eaVmfa5BKgdikIMS', 'req_n9lznhjuESJt0000000B', null, null, 1794820324906);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 6, 'ent_d9TJfUTANUif0000000C', 'charge', '2026-11', 'growth', 'payment-risk', 2, 0, 2, -4, 0, 0, 11991, 5000, 0, 'key_JBRCaOjIhafVX6E7fMr9', 'req_n9lznhjuESJt0000000C', null, null, 1794820324932);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 7, 'ent_d9TJfUTANUif0000000D', 'charge', '2026-11', 'growth', 'payment-risk', 1, 0, 2, -2, 0, 0, 11989, 5000, 0, 'key_JBRCaOjIhafVX6E7fMr9', 'req_n9lznhjuESJt0000000D', null, null, 1794820327045);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_Ug6LvXRgsj4lab7rmC5b', 8, 'ent_QhxVYnHRRRmj5yFTTxoF', 'credit', '2026-11', 'growth', null, 0, 0, 0, 0, 2500, 0, 11989, 7500, 0, null, null, 'top_wiU3bVAl3gBPYaEOSI6S', 'top-up, invoice 1', 1794820329128);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_ksyf3fyRMJM4ZpWC20yp', 1, 'ent_inZnu47EfDWrVZY5ljS3', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820342686);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_gnbzRR1iUlYKH6x0Sb18', 1, 'ent_SgLmTLahquUbvN4OSQrv', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820342794);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_tcAV4nax7NrqonUXvwNz', 1, 'ent_3PqZq1flmDtrER1V9sCh', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820348759);
insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at) values ('org_XUjICgNespAHyhunQ1ms', 1, 'ent_Y8nVg6jphQLvPlXMnejm', 'grant', '2026-11', 'growth', null, 0, 0, 0, 12000, 0, 0, 12000, 0, 0, null, null, null, null, 1794820351070);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'hour', 1794819600000, 5, 6, 0, 11, 0);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'day', 1794787200000, 5, 6, 0, 11, 0);
insert into usage_total (organisation_id, granularity, starts_at, requests, units, free_units, credit_pence, overage_pence) values ('org_Ug6LvXRgsj4lab7rmC5b', 'month', 1793491200000, 5, 6, 0, 11, 0);
insert into operator_person (person_id, created_at) values ('usr_ieqaMU6T5v0UzTezmSbv', 1794820335040);
CREATE INDEX api_key_by_organisation on api_key (organisation_id, created_at);
CREATE INDEX stored_response_by_time on stored_response (created_at);
CREATE INDEX membership_by_organisation on membership (organisation_id, person_id);
CREATE INDEX console_session_by_person on console_session (person_id);
CREATE INDEX console_session_by_expiry on console_session (expires_at);
CREATE INDEX attempt_window_by_end on attempt_window (ends_at);
CREATE INDEX oauth_client_by_organisation on oauth_client (organisation_id, created_at);
CREATE INDEX oauth_record_by_purge on oauth_record (purge_at);
CREATE INDEX oauth_record_by_grant on oauth_record (grant_digest) where grant_digest is not null;
CREATE INDEX oauth_record_by_client on oauth_record (client_id) where client_id is not null;
CREATE INDEX oauth_record_by_uid on oauth_record (uid_digest) where uid_digest is not null;
CREATE UNIQUE INDEX oauth_record_by_user_code on oauth_record (user_code_digest) where user_code_digest is not null;
CREATE INDEX invitation_by_organisation on invitation (organisation_id, created_at, id);
CREATE INDEX audit_entry_by_time on audit_entry (organisation_id, created_at, id);
CREATE TRIGGER audit_entry_not_updated before update on audit_entry
begin select raise(abort, 'the audit log is append-only'); end;
CREATE TRIGGER audit_entry_not_deleted before delete on audit_entry
begin select raise(abort, 'the audit log is append-only'); end;
CREATE INDEX subscription_by_closed on subscription (closed_period);
CREATE UNIQUE INDEX invoice_by_number on invoice (organisation_id, number);
CREATE INDEX invoice_open on invoice (due_at) where state = 'open';
CREATE INDEX billing_alert_by_organisation on billing_alert (organisation_id, created_at, id);
CREATE INDEX ledger_entry_by_time on ledger_entry (organisation_id, created_at);
CREATE UNIQUE INDEX ledger_entry_by_reference on ledger_entry (organisation_id, reference) where reference is not null;
CREATE INDEX ledger_entry_by_kind on ledger_entry (organisation_id, kind, seq) where kind <> 'charge';
CREATE TRIGGER ledger_entry_not_updated before update on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
CREATE TRIGGER ledger_entry_not_deleted before delete on ledger_entry
begin select raise(abort, 'the ledger is append-only'); end;
