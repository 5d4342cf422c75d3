-- Keys that sign receipts. They are never those of ID tokens, and a former key stays published: receipts are verified for years.
create table receipt_key (
  sequence bigint primary key,
  kid text not null unique,
  -- The public key, a JWK.
  public text not null,
  -- The private key, a JWK sealed under the server's secret; null once the key is replaced.
  sealed text,
  created_at bigint not null,
  signs_at bigint not null,
  -- After a leak: from then on receipts under this key are refused.
  revoked_at bigint
);
