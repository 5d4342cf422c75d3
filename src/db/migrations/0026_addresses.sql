-- The problem of an address that was stored before the rule for addresses was strict; empty for a valid one, null until
-- it was looked at (src/identity/people/stored-addresses.ts).
alter table person add column address_problem text;
create index person_by_unchecked_address on person (id) where address_problem is null;
create index person_by_invalid_address on person (created_at, id) where address_problem <> '';

-- A newcomer who accepted an invitation and has not confirmed their address yet; null for a sign-up.
alter table sign_up add column invitation_id text;
