-- Erasure of people and organisations (src/leaving).
create table erasure (
  id text not null primary key,
  -- organisation, person
  kind text not null,
  -- The id of the organisation or person. It stays when everything else of them is gone.
  subject_id text not null,
  asked_at bigint not null,
  -- The actor who asked, as the audit log names actors.
  asked_by_kind text not null,
  asked_by text not null,
  -- The end of the waiting time.
  due_at bigint not null,
  cancelled_at bigint,
  done_at bigint,
  -- Invoices and payments of an erased organisation are deleted then; null: there are none, or no longer.
  kept_until bigint,
  -- The signed receipt; null until it is done.
  receipt text
);
create index erasure_by_subject on erasure (subject_id, asked_at);
create index erasure_by_due on erasure (due_at) where done_at is null and cancelled_at is null;
create index erasure_by_done on erasure (done_at, id) where done_at is not null;
create index erasure_by_kept on erasure (kept_until) where kept_until is not null;

-- When everything of the organisation was erased; its row stays under the ledger, the audit log and the invoices.
alter table organisation add column erased_at bigint;

create index outbox_message_by_organisation on outbox_message (organisation_id) where organisation_id is not null;
create index invitation_by_email on invitation (email) where email is not null;
create index audit_entry_of_actor on audit_entry (actor_id, organisation_id);
create index audit_entry_of_target on audit_entry (target_id, organisation_id);

-- The erasure that took the personal fields out of an entry. Its hash stays (src/identity/audit-erase.ts).
alter table audit_entry add column erased_by text;

-- The only change that the audit log allows: the first erasure of an entry.
-- only sqlite
drop trigger audit_entry_not_updated
-- end
-- only sqlite
create trigger audit_entry_not_updated before update on audit_entry
when old.erased_by is not null or new.erased_by is null or new.actor_name is not null or new.ip is not null
  or new.request_id is not null or new.detail not in ('{}', old.detail) or new.hash is not coalesce(old.hash, new.hash)
  or new.id <> old.id or new.organisation_id <> old.organisation_id or new.created_at <> old.created_at
  or new.actor_kind <> old.actor_kind or new.actor_id <> old.actor_id or new.action <> old.action
  or new.target_id is not old.target_id or new.seq is not old.seq
begin select raise(abort, 'the audit log is append-only'); end;
-- end
-- only postgres
create function refuse_audit_update() returns trigger language plpgsql as
$$ begin
  if old.erased_by is not null or new.erased_by is null or new.actor_name is not null or new.ip is not null
    or new.request_id is not null or new.detail not in ('{}', old.detail) or new.hash is distinct from coalesce(old.hash, new.hash)
    or new.id <> old.id or new.organisation_id <> old.organisation_id or new.created_at <> old.created_at
    or new.actor_kind <> old.actor_kind or new.actor_id <> old.actor_id or new.action <> old.action
    or new.target_id is distinct from old.target_id or new.seq is distinct from old.seq
  then raise exception 'the audit log is append-only'; end if;
  return new;
end $$;
-- end
-- only postgres
drop trigger audit_entry_not_changed on audit_entry
-- end
-- only postgres
create trigger audit_entry_not_changed before delete or truncate on audit_entry
for each statement execute function refuse_audit_change();
-- end
-- only postgres
create trigger audit_entry_only_erased before update on audit_entry
for each row execute function refuse_audit_update();
-- end
