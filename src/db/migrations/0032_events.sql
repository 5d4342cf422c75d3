-- Events, webhooks and digests.

-- An event belongs to an organisation, or to one person: `owner` is the id of either. The number of an event is taken last
-- in its transaction, so events are numbered without gaps in the order of their commits.
create table event_counter (
  owner text not null primary key,
  seq bigint not null
);
create table event (
  owner text not null,
  seq bigint not null,
  id text not null,
  type text not null,
  -- JSON.
  data text not null,
  created_at bigint not null,
  primary key (owner, seq)
);
create index event_by_type on event (owner, type, created_at);
create index event_by_time on event (created_at);

-- How far a person has read the events of an owner.
create table event_read (
  person_id text not null references person (id),
  owner text not null,
  seq bigint not null,
  primary key (person_id, owner)
);

-- How often a person gets events by mail. No row: never.
create table event_digest (
  person_id text not null primary key references person (id),
  -- daily, weekly
  frequency text not null,
  -- Events since then are in the next digest.
  since bigint not null,
  next_at bigint not null
);
create index event_digest_by_next on event_digest (next_at);

create table webhook (
  id text not null primary key,
  organisation_id text not null references organisation (id),
  url text not null,
  -- Types of events, separated by blanks.
  events text not null,
  description text not null,
  -- The secrets that sign, sealed under the ring.
  secrets text not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- The first failure since the last delivery; null while deliveries succeed.
  failing_since bigint,
  disabled_at bigint,
  -- person, gone, failing, queue; null while it is enabled.
  disabled_why text,
  -- 1: the owners are to be told by mail that it was disabled.
  tell_owners bigint not null default 0
);
create index webhook_by_organisation on webhook (organisation_id, created_at, id);
create index webhook_to_tell on webhook (tell_owners) where tell_owners = 1;

-- JSON of the last attempts to deliver a message to a webhook.
alter table outbox_message add column attempt_log text;
create index outbox_message_by_recipient_state on outbox_message (recipient, state, due_at);

-- The notice of the expiry that was given last, by its time: 14 days or 1 day before the end.
alter table api_key add column expiry_told bigint;
create index api_key_by_expiry on api_key (expires_at);
