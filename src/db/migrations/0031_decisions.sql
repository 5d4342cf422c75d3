-- Keys that sign receipts. They are never those of ID tokens, and a former key stays published: receipts are verified for years.
create table receipt_key (
  sequence bigint primary key,
  kid text not null unique,
  -- The public key, a JWK.
  public text not null,
  -- The private key, a JWK sealed under the server's secret; null once the key is replaced.
  sealed text,
  created_at bigint not null,
  signs_at bigint not null,
  -- After a leak: from then on receipts under this key are refused.
  revoked_at bigint
);

-- The current decision about a check. Its note may name the indicator, so it is sealed and ends with the check.
create table check_decision (
  organisation_id text not null,
  id text not null,
  -- approved, stopped, false_alarm, review.
  decision text not null,
  -- waiting (for a second person), made.
  state text not null,
  -- The note and the ticked steps.
  sealed text not null,
  -- The first who decided, as the audit log names actors.
  by_kind text not null,
  by_id text not null,
  by_name text,
  created_at bigint not null,
  second_by text,
  second_name text,
  second_at bigint,
  primary key (organisation_id, id),
  foreign key (organisation_id, id) references kept_check (organisation_id, id) on delete cascade
);

-- Answers that somebody reported as wrong, for the operator of the service.
create table check_feedback (
  organisation_id text not null,
  id text not null,
  -- too_high, too_low.
  wrong text not null,
  -- The reason.
  sealed text not null,
  by_kind text not null,
  by_id text not null,
  by_name text,
  created_at bigint not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, id) references kept_check (organisation_id, id) on delete cascade
);
create index check_feedback_by_time on check_feedback (created_at, id);
