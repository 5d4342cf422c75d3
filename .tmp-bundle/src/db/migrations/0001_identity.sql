-- Organisations and their API keys. Times are milliseconds since the epoch.
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
  -- SHA-256 of the key; the key itself is shown once and never stored.
  digest text not null unique,
  -- The first characters, enough for a person to recognise a key.
  hint text not null,
  -- Scope names separated by single spaces.
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);

create index api_key_by_organisation on api_key (organisation_id, created_at);
