-- Who made a key or an application, as the audit log names actors; null where that is not known.
alter table api_key add column made_by_kind text;
alter table api_key add column made_by text;
alter table api_key add column made_by_name text;
alter table oauth_client add column made_by_kind text;
alter table oauth_client add column made_by text;
alter table oauth_client add column made_by_name text;
update api_key set made_by_kind = made.actor_kind, made_by = made.actor_id, made_by_name = made.actor_name
  from audit_entry made
  where made.action = 'key.create' and made.target_id = api_key.id and made.organisation_id = api_key.organisation_id;
update oauth_client set made_by_kind = made.actor_kind, made_by = made.actor_id, made_by_name = made.actor_name
  from audit_entry made
  where made.action = 'client.create' and made.target_id = oauth_client.id
    and made.organisation_id = oauth_client.organisation_id;

-- When members will need a second factor; null if no day is set, and once they need one.
alter table organisation add column second_factor_from bigint;
create index organisation_by_second_factor on organisation (second_factor_from) where second_factor_from is not null;

-- The time zone of the browser that the person signed in with, as IANA names it.
alter table person add column time_zone text;

-- Mail with a link goes before all other mail.
create index outbox_message_by_link on outbox_message (channel, due_at) where sealed is not null and state = 'waiting';
