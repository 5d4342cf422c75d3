-- JSON: the separator of the file and the form of its days, where known. An export has the same.
alter table counterparty_import add column format text not null default '{}';
