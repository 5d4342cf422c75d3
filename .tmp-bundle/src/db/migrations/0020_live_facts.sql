-- What was seen about names and addresses, shared by all nodes until it expires. No personal data: a mailbox is known here
-- by its domain only.
create table live_fact (
  -- Which observer saw it: registration, zone, host, certificate. `bootstrap` is the list of registries.
  sort text not null,
  name text not null,
  -- Of which form the value is; a release that writes another form does not read this one.
  form bigint not null,
  value text not null,
  seen_at bigint not null,
  expires_at bigint not null,
  primary key (sort, name)
);

create index live_fact_expires_at on live_fact (expires_at);
