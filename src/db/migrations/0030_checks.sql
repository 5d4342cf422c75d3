-- Checks on record: who asked what, when, and the answer as it was given (src/record).

-- The checks that are kept: off, console (those that people ask in the console), all; and for how many days.
alter table organisation add column history text not null default 'console';
alter table organisation add column history_days bigint not null default 400;
-- 1 if a decision to let something pass needs a second person.
alter table organisation add column decisions_need_two bigint not null default 0;

-- The key of an organisation's indicator digests, sealed under the ring; made with its first kept check.
create table history_key (
  organisation_id text not null primary key references organisation (id),
  sealed text not null
);

-- Written for a check in the transaction that charges for it, so it refers to no other table: a reference would be looked up for
-- every check.
create table kept_check (
  organisation_id text not null,
  -- `chk_` and the end of the request's id, so that a request finds its check; in a list also `-` and the place of the record.
  -- It begins with the time, so the primary key is the order of time.
  id text not null,
  created_at bigint not null,
  -- email, domain, ip.
  kind text not null,
  -- low, medium, high.
  level text not null,
  score bigint not null,
  -- Keyed digest of the indicator in normal form.
  digest text not null,
  -- console, api.
  channel text not null,
  -- The key, application or person.
  credential_id text not null,
  -- Null for programs.
  person_id text,
  -- The outcome of the decision rules: approve, review, stop; null if none matched or none was asked.
  outcome text,
  -- Version of the intelligence.
  intelligence text not null,
  -- The Idempotency-Key of its request, by which an erasure finds the answer that is stored for retries.
  repeat_key text,
  -- approved, stopped, false_alarm, review.
  decision text,
  -- waiting (for a second person), made.
  decision_state text,
  -- open, done.
  review text,
  assigned_to text,
  reviewed_since bigint,
  -- The place of its indicator and its answer: a row of kept_text, and the place in it.
  text_id text not null,
  text_place bigint not null,
  primary key (organisation_id, id)
);
-- only postgres
alter table kept_check alter column id type text collate "C";
-- end
-- Every check pays for each index it is in: rows that nobody searches for by one of these columns are left out.
create index kept_check_by_level on kept_check (organisation_id, level, id) where level <> 'low';
create index kept_check_by_person on kept_check (organisation_id, person_id, id) where person_id is not null;
create index kept_check_by_decision on kept_check (organisation_id, decision, id) where decision is not null;
create index kept_check_by_review on kept_check (organisation_id, review, id) where review is not null;
create index kept_check_by_assigned on kept_check (organisation_id, assigned_to, id) where assigned_to is not null;

-- Checks by their indicator. A table and not an index: digests are random, so that each would cost the charge a page of its own.
-- The checks of programs get their rows here in batches, sorted, a moment later (src/record/follow-up.ts).
-- only sqlite
create table kept_digest (
  organisation_id text not null,
  digest text not null,
  id text not null,
  primary key (organisation_id, digest, id)
) without rowid;
-- end
-- only postgres
create table kept_digest (
  organisation_id text not null,
  digest text not null,
  id text collate "C" not null,
  primary key (organisation_id, digest, id)
);
-- end

-- Checks that have no row in kept_digest yet: the first and the last id of those that were charged together.
create table waiting_digest (
  organisation_id text not null,
  id text not null,
  last_id text not null,
  primary key (organisation_id, id)
);

-- Reviews that a decision rule opened, until an event tells of them (src/record/follow-up.ts).
create table waiting_review (
  organisation_id text not null,
  id text not null,
  kind text not null,
  level text not null,
  primary key (organisation_id, id)
);
-- only postgres
alter table waiting_review alter column id type text collate "C";
-- end

-- The indicators and answers of some checks that were charged together: sealing them one by one would cost every check more than
-- the rest of its row.
create table kept_text (
  organisation_id text not null,
  -- The id of the first check in it.
  id text not null,
  sealed text not null,
  primary key (organisation_id, id)
);

-- A list that was charged for. Its records become rows of kept_check in small steps afterwards; then this row is deleted.
create table kept_list (
  organisation_id text not null,
  id text not null,
  created_at bigint not null,
  kind text not null,
  channel text not null,
  credential_id text not null,
  person_id text,
  intelligence text not null,
  -- The billing fields of its answer, as text.
  billing text not null,
  repeat_key text,
  -- How many records have a row already.
  made bigint not null default 0,
  -- Compressed: the records with their results.
  sealed text not null,
  primary key (organisation_id, id)
);
