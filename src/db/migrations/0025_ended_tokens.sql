-- When the tokens of a client were last ended, after its secret leaked; null: never.
alter table oauth_client add column tokens_ended_at bigint;
-- For a token: that time as the issuing node knew it. A node that has not heard of the end yet may still accept the former
-- secret; by this column its tokens are not valid.
alter table oauth_record add column client_tokens_ended_at bigint;
