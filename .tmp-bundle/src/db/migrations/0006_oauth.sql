-- Applications, what was issued to them, and the keys that sign ID tokens.
create table oauth_client (
  id text primary key,
  organisation_id text not null references organisation (id),
  kind text not null check (kind in ('service', 'web', 'spa', 'native')),
  name text not null,
  -- Scope names separated by single spaces.
  scopes text not null,
  -- JSON arrays of addresses.
  redirect_uris text not null,
  logout_uris text not null,
  -- SHA-256 of the secret; null for public clients and those with a key of their own.
  secret_digest text,
  -- JSON Web Key Set of a client that authenticates with its own key.
  jwks text,
  state text not null check (state in ('active', 'disabled')),
  created_at bigint not null,
  updated_at bigint not null,
  check (kind in ('service', 'web') or (secret_digest is null and jwks is null))
);

create index oauth_client_by_organisation on oauth_client (organisation_id, created_at);

-- Tokens, codes, grants, sign-in sessions, interactions. The credential itself is never stored, only its SHA-256.
create table oauth_record (
  digest text not null,
  kind text not null,
  payload text not null,
  client_id text,
  person_id text,
  -- SHA-256 of the grant this belongs to; without its grant a token is dead.
  grant_digest text,
  -- Of a grant: whom it charges.
  organisation_id text,
  scope text,
  uid_digest text,
  user_code_digest text,
  issued_at bigint not null,
  expires_at bigint not null,
  -- When the purge may delete it.
  purge_at bigint not null,
  -- Set once, by whoever used the code or token first.
  consumed_at bigint,
  -- Device codes: confirmed by a person; paced polling.
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
  -- Two nodes making the first key at once: one of them fails here and takes the other's.
  sequence integer primary key,
  kid text not null unique,
  -- Private JWK under AES-256-GCM.
  sealed text not null,
  created_at bigint not null,
  -- Published at once, signs from here on, published until it retires.
  signs_at bigint not null,
  retires_at bigint
);
