-- An erasure leaves less, and says more.

-- The check whose answer somebody called wrong: the entry goes when that check is erased with others.
alter table own_list_entry add column check_id text;
create index own_list_entry_by_check on own_list_entry (organisation_id, check_id) where check_id is not null;

-- JSON: the rows erased so far by table, until the receipt has them.
alter table erasure add column erased text;

-- The inboxes of people hold the address of somebody else only in these events.
create index event_of_asked_invitation on event (type, owner, seq) where type = 'invitation.asked';

-- Payments that belong to no organisation end, too.
create index payment_of_nobody on payment (received_at) where organisation_id is null;

-- An erasure of the organisation also takes what the erasure of a person left in an entry.
-- only sqlite
drop trigger audit_entry_not_updated
-- end
-- only sqlite
create trigger audit_entry_not_updated before update on audit_entry
when new.erased_by is null or (old.erased_by is not null and new.detail <> '{}') or new.actor_name is not null
  or new.ip is not null or new.request_id is not null or new.detail not in ('{}', old.detail)
  or new.hash is not coalesce(old.hash, new.hash) or new.id <> old.id or new.organisation_id <> old.organisation_id
  or new.created_at <> old.created_at or new.actor_kind <> old.actor_kind or new.actor_id <> old.actor_id
  or new.action <> old.action or new.target_id is not old.target_id or new.seq is not old.seq
begin select raise(abort, 'the audit log is append-only'); end;
-- end
-- only postgres
create or replace function refuse_audit_update() returns trigger language plpgsql as
$$ begin
  if new.erased_by is null or (old.erased_by is not null and new.detail <> '{}') or new.actor_name is not null
    or new.ip is not null or new.request_id is not null or new.detail not in ('{}', old.detail)
    or new.hash is distinct from coalesce(old.hash, new.hash) or new.id <> old.id
    or new.organisation_id <> old.organisation_id or new.created_at <> old.created_at or new.actor_kind <> old.actor_kind
    or new.actor_id <> old.actor_id or new.action <> old.action or new.target_id is distinct from old.target_id
    or new.seq is distinct from old.seq
  then raise exception 'the audit log is append-only'; end if;
  return new;
end $$;
-- end
