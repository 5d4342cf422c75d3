-- People who sign in, the organisations they belong to, and their console sessions.
create table person (
  id text primary key,
  -- Lower case; what people sign in with.
  email text not null unique,
  email_verified integer not null default 0,
  name text not null,
  -- argon2id in PHC form.
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
  -- SHA-256 of the cookie.
  digest text primary key,
  person_id text not null references person (id),
  created_at bigint not null,
  expires_at bigint not null
);

create index console_session_by_person on console_session (person_id);
create index console_session_by_expiry on console_session (expires_at);

-- Attempts counted per key within a window: sign-ins, device codes typed.
create table attempt_window (
  key text primary key,
  attempts integer not null,
  ends_at bigint not null
);

create index attempt_window_by_end on attempt_window (ends_at);
