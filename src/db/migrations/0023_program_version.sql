-- Which version of the program applied a migration: a program that is too old for a database can name the one to use.
-- Null in migrations from before this one.
alter table schema_migration add column program_version text;
