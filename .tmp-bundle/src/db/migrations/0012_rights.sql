-- Roles are listed in the code alone, so that a new one needs no new table; invitations know who made them.
-- only postgres
alter table membership drop constraint membership_role_check
-- end
-- only postgres
alter table invitation drop constraint invitation_role_check
-- end
-- SQLite cannot drop a check: the tables are made anew.
-- only sqlite
create table membership_new (
  person_id text not null references person (id),
  organisation_id text not null references organisation (id),
  role text not null,
  created_at bigint not null,
  primary key (person_id, organisation_id)
)
-- end
-- only sqlite
insert into membership_new select person_id, organisation_id, role, created_at from membership
-- end
-- only sqlite
drop table membership
-- end
-- only sqlite
alter table membership_new rename to membership
-- end
-- only sqlite
create index membership_by_organisation on membership (organisation_id, person_id)
-- end
-- only sqlite
create table invitation_new (
  id text primary key,
  organisation_id text not null references organisation (id),
  role text not null,
  digest text not null unique,
  email text,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by text,
  revoked_at bigint
)
-- end
-- only sqlite
insert into invitation_new select id, organisation_id, role, digest, email, created_at, expires_at, accepted_at,
  accepted_by, revoked_at from invitation
-- end
-- only sqlite
drop table invitation
-- end
-- only sqlite
alter table invitation_new rename to invitation
-- end
-- only sqlite
create index invitation_by_organisation on invitation (organisation_id, created_at, id)
-- end

-- Who made it: an invitation is worth something only while they could still make it.
alter table invitation add column made_by_kind text not null default 'operator';
alter table invitation add column made_by text not null default 'operator';
update invitation set
  made_by_kind = coalesce((select actor_kind from audit_entry a where a.organisation_id = invitation.organisation_id
    and a.action = 'invitation.create' and a.target_id = invitation.id), 'operator'),
  made_by = coalesce((select actor_id from audit_entry a where a.organisation_id = invitation.organisation_id
    and a.action = 'invitation.create' and a.target_id = invitation.id), 'operator');

-- How long a key was made for: a key that replaces it lives as long. Null: without an end.
alter table api_key add column lifetime_ms bigint;
update api_key set lifetime_ms = expires_at - created_at where expires_at is not null;

-- A person's grants end together.
create index oauth_record_by_person on oauth_record (person_id) where person_id is not null;
