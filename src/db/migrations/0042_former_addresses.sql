-- The erasure of a person finds mail to their former addresses, and invitations that they accepted there.
create index outbox_message_by_person on outbox_message (person_id) where person_id is not null;
create index invitation_by_accepter on invitation (accepted_by) where accepted_by is not null;
