-- Invitations by link, and who changed what.
create table invitation (
  id text primary key,
  organisation_id text not null references organisation (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  -- SHA-256 of the secret in the link.
  digest text not null unique,
  -- Only this address may accept; null for whoever holds the link.
  email text,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by text,
  revoked_at bigint
);

create index invitation_by_organisation on invitation (organisation_id, created_at, id);

-- No foreign key: the record outlives what it is about.
create table audit_entry (
  id text primary key,
  organisation_id text not null,
  created_at bigint not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'person', 'operator', 'system')),
  actor_id text not null,
  -- As it was called at the time.
  actor_name text,
  action text not null,
  target_id text,
  -- JSON object: what changed, never a secret.
  detail text not null,
  ip text,
  request_id text
);

create index audit_entry_by_time on audit_entry (organisation_id, created_at, id);

-- only sqlite
create trigger audit_entry_not_updated before update on audit_entry
begin select raise(abort, 'the audit log is append-only'); end;
-- end
-- only sqlite
create trigger audit_entry_not_deleted before delete on audit_entry
begin select raise(abort, 'the audit log is append-only'); end;
-- end
-- only postgres
create function refuse_audit_change() returns trigger language plpgsql as
$$ begin raise exception 'the audit log is append-only'; end $$;
-- end
-- only postgres
create trigger audit_entry_not_changed before update or delete or truncate on audit_entry
for each statement execute function refuse_audit_change();
-- end
