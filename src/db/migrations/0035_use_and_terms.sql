-- When an application last used one of its tokens; null if it never did.
alter table oauth_client add column last_used_at bigint;

-- The terms that an invited newcomer accepted, as JSON; null where there were none.
alter table sign_up add column terms text;
