-- A person's own account: a change of address, security keys without a PIN, sign-ups whose address is not confirmed.

-- The address that the link gives its person: of a change the new one, of its undo the former one. Null for other links.
alter table person_link add column new_email text;

-- 1 if the device checked its user by finger, face or PIN when it was last asked.
alter table passkey add column user_verified bigint not null default 1;

-- 1 until the first member is admitted: nobody has confirmed the address of the sign-up.
alter table organisation add column unconfirmed bigint not null default 0;
