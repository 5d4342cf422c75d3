-- What the check was answered, beside its digest: the last answer about an indicator is one look into one table. Null in the rows
-- from before: theirs are in kept_check.
alter table kept_digest add column level text;
alter table kept_digest add column score bigint;
