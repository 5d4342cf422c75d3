-- Knowledge of an organisation that its checks use: counterparties, own lists, proven domains. Each change of it adds one to
-- the version, in its own transaction (src/own/version.ts).
create table own_knowledge (
  organisation_id text not null primary key references organisation (id),
  version bigint not null,
  -- The set of counterparties in use. An import fills the next set beside it; then one update of this row takes it into use.
  generation bigint not null default 0,
  -- The set before the last import, for its undo; null when there is none.
  former_generation bigint,
  -- When the last import was applied, while it can be undone.
  former_since bigint,
  -- Changes of counterparties alone, so that an import notices one that was made since it began.
  counterparty_changes bigint not null default 0,
  counterparties bigint not null default 0,
  -- Bytes of all of them, as sizeOf counts (src/own/counterparties/content.ts).
  counterparty_size bigint not null default 0,
  -- The organisation's key of account digests, sealed under the ring; null before its first account.
  account_key text
);
create index own_knowledge_by_former on own_knowledge (former_since) where former_since is not null;

create table counterparty (
  organisation_id text not null references organisation (id),
  generation bigint not null,
  id text not null,
  -- Organisation, generation and what tells two of them apart: the reference, or the name of one without a reference.
  match_key text not null,
  name text not null,
  reference text,
  since text,
  note text,
  -- active, former, blocked
  state text not null,
  -- Words separated by blanks.
  domains text not null,
  emails text not null,
  networks text not null,
  -- JSON: kind, country, last four digits and keyed digest of each account.
  accounts text not null,
  -- In the set of an import: new, changed, same, kept.
  difference text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (organisation_id, generation, id)
);
create unique index counterparty_by_key on counterparty (match_key);
create index counterparty_by_time on counterparty (organisation_id, generation, created_at, id);
create index counterparty_by_difference on counterparty (organisation_id, generation, difference, id);

-- Domains, addresses, references and words of names, by which counterparties are found.
create table counterparty_term (
  organisation_id text not null,
  generation bigint not null,
  term text not null,
  counterparty_id text not null,
  primary key (organisation_id, generation, term, counterparty_id)
);
-- Beginnings of words are searched for: in the order of the characters, in whatever order the database sorts texts.
-- only postgres
alter table counterparty_term alter column term type text collate "C";
-- end

create table counterparty_import (
  id text not null primary key,
  organisation_id text not null references organisation (id),
  -- The set that it fills.
  generation bigint not null,
  -- open, applying, applied, undone, discarded
  state text not null,
  file_name text,
  -- JSON: the title of each column of the file and the field it became.
  columns text not null,
  -- What becomes of counterparties that are not in the file: keep, former, delete.
  gone text not null,
  -- refuse, skip
  invalid_rows text not null,
  -- Rows of the file.
  rows_announced bigint not null,
  -- JSON: received, new, changed, same, merged, invalid, remarked.
  counts text not null,
  -- The count of changes in own_knowledge when it began; once applied, when it was applied.
  counterparty_changes bigint not null,
  -- Counterparties that are not in the file and were copied, and the id of the last one looked at.
  copied bigint not null,
  copied_to text not null,
  -- The number of counterparties before it was applied, for the undo.
  former_counterparties bigint,
  -- Bytes of its rows, of the counterparties that they replace, and of all before it was applied.
  size bigint not null default 0,
  replaced_size bigint not null default 0,
  former_size bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index counterparty_import_by_time on counterparty_import (organisation_id, created_at, id);
create index counterparty_import_by_state on counterparty_import (state, updated_at, id);

-- Rows of the file that are refused (invalid = 1), and rows that need a look.
create table counterparty_import_remark (
  import_id text not null,
  row_number bigint not null,
  invalid bigint not null,
  -- JSON: pointer, code and detail of each.
  remarks text not null,
  primary key (import_id, row_number)
);

-- Sets that are no longer needed: deleted a few rows at a time (src/own/counterparties/purge.ts).
create table counterparty_garbage (
  organisation_id text not null,
  generation bigint not null,
  primary key (organisation_id, generation)
);
