-- People whom the operator lets see every organisation in the console. No route writes this: `assayd user operator` does.
create table operator_person (
  person_id text primary key references person (id),
  created_at bigint not null
);
