-- The audit log by what was done and by who did it, each with the newest first.

create index audit_entry_by_action on audit_entry (organisation_id, action, created_at, id);
create index audit_entry_by_actor on audit_entry (organisation_id, actor_id, created_at, id);
