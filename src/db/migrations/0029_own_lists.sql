-- An organisation's own lists, its decision rules, and the domains that it proves to be its own.

-- 1: an allow entry has no effect until a second person approves it.
alter table organisation add column allow_needs_approval integer not null default 0;

create table own_list_entry (
  id text primary key,
  organisation_id text not null references organisation (id),
  list text not null,
  -- email, domain, ip.
  kind text not null,
  -- Normal form. A domain means everything below it too; an ip may be a network.
  indicator text not null,
  reason text,
  expires_at bigint,
  -- 1: waits for a second person.
  pending bigint not null default 0,
  -- The author, as the audit log names actors.
  author_kind text not null,
  author_id text not null,
  author_name text,
  -- The first person who agreed to it: its author, or the first to approve what a program added.
  proposed_by text,
  approved_by text,
  approved_name text,
  approved_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index own_list_entry_by_indicator on own_list_entry (organisation_id, list, indicator);
create index own_list_entry_by_time on own_list_entry (organisation_id, list, created_at, id);

-- The rules of the highest version apply.
create table decision_rules (
  id text primary key,
  organisation_id text not null references organisation (id),
  version bigint not null,
  -- JSON array.
  rules text not null,
  author_kind text not null,
  author_id text not null,
  author_name text,
  created_at bigint not null
);
create unique index decision_rules_by_version on decision_rules (organisation_id, version);

create table own_domain (
  id text primary key,
  organisation_id text not null references organisation (id),
  domain text not null,
  -- The value of the TXT record that proves it.
  token text not null,
  -- pending, verified.
  state text not null,
  -- dns, operator; null while pending.
  verified_how text,
  verified_at bigint,
  checked_at bigint,
  -- The reason why the last look-up proved nothing; null if it did.
  finding text,
  created_at bigint not null
);
create unique index own_domain_by_name on own_domain (organisation_id, domain);
