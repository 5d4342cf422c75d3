-- The ring: random keys that seal and sign, each kept only wrapped under the server's secret. While the secret is being
-- replaced every key is wrapped twice, so that nodes work with the former secret as well as with the new one.
create table sealing_key (
  -- Two nodes making the first key at once: one of them fails here and takes the other's.
  id bigint primary key,
  created_at bigint not null,
  -- Known to every node before it seals.
  seals_at bigint not null
);

create table sealing_key_wrap (
  key_id bigint not null references sealing_key (id),
  -- A name derived from the secret; it tells nothing about it.
  secret_id text not null,
  secret_since bigint not null,
  wrapped text not null,
  primary key (key_id, secret_id)
);
