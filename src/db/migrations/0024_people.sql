-- Mail, second factors, sessions that people can see and end, consents, two secrets of an application at a time.

-- When a mail server refused the address for good; null while mail reaches it or was never sent.
alter table person add column mail_refused_at bigint;

-- Members need a second factor to act here.
alter table organisation add column requires_second_factor integer not null default 0;

-- What a person is shown of a session, by which they can end it. The digest of the cookie is never shown.
alter table console_session add column id text;
alter table console_session add column ip text;
alter table console_session add column user_agent text;
alter table console_session add column seen_at bigint;
-- When the person last proved who they are: signing in, or confirming it before a weighty change.
alter table console_session add column proved_at bigint;
-- How, in the words of RFC 8176, separated by single spaces.
alter table console_session add column amr text not null default 'pwd';
-- SHA-256 of the cookie of the browser.
alter table console_session add column device_digest text;

-- Browsers that a person has signed in with.
create table known_device (
  person_id text not null references person (id),
  -- SHA-256 of the cookie.
  digest text not null,
  created_at bigint not null,
  seen_at bigint not null,
  primary key (person_id, digest)
);

-- Links sent by mail. Each works once.
create table person_link (
  -- SHA-256 of what stands in the link.
  digest text primary key,
  kind text not null,
  person_id text not null references person (id),
  -- The address it was sent to: after a change of address it is worth nothing.
  email text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index person_link_by_person on person_link (person_id, kind, created_at);
create index person_link_by_expiry on person_link (expires_at);

-- Sign-ups that wait for their address to be confirmed.
create table sign_up (
  digest text primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  organisation_id text not null references organisation (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index sign_up_by_expiry on sign_up (expires_at);
create index sign_up_by_organisation on sign_up (organisation_id);

create table passkey (
  -- Credential id, base64url.
  id text primary key,
  person_id text not null references person (id),
  name text not null,
  -- COSE key, base64url.
  public_key text not null,
  counter bigint not null,
  -- JSON array.
  transports text not null,
  backed_up integer not null,
  created_at bigint not null,
  used_at bigint
);
create index passkey_by_person on passkey (person_id, created_at);

-- The secret behind a person's one-time codes.
create table code_generator (
  person_id text primary key references person (id),
  sealed text not null,
  created_at bigint not null,
  -- Null until a first code was typed.
  confirmed_at bigint,
  -- The last step of time whose code was used: no code works twice.
  last_step bigint not null default 0
);

create table recovery_code (
  person_id text not null references person (id),
  digest text not null,
  created_at bigint not null,
  used_at bigint,
  primary key (person_id, digest)
);

-- Messages that leave this server, written in the transaction of their cause and sent afterwards.
create table outbox_message (
  id text primary key,
  channel text not null,
  kind text not null,
  recipient text not null,
  person_id text,
  organisation_id text,
  -- JSON of what the message tells.
  facts text not null,
  -- What must not be read in the database, such as a link: sealed. Null where there is none.
  sealed text,
  state text not null check (state in ('waiting', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  created_at bigint not null,
  due_at bigint not null,
  -- Worth nothing after this.
  expires_at bigint not null,
  finished_at bigint,
  error text
);
create index outbox_message_by_due on outbox_message (channel, state, due_at);
create index outbox_message_by_recipient on outbox_message (recipient, created_at);
create index outbox_message_by_end on outbox_message (finished_at);

-- The former secret works beside the present one until then.
alter table oauth_client add column former_secret_digest text;
alter table oauth_client add column former_secret_until bigint;
-- Where the keys of a client are read, instead of a set that is stored.
alter table oauth_client add column jwks_uri text;
alter table oauth_client add column policy_uri text;
alter table oauth_client add column terms_uri text;

alter table oauth_key add column alg text not null default 'RS256';
-- What signs the ID tokens of an application.
alter table oauth_client add column id_token_alg text not null default 'RS256';
