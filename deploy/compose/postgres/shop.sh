#!/bin/sh
# Run once, when the database is made: an example table, and the role that only reads.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username postgres --dbname shop \
  --set password="$(cat /run/secrets/database_password)" <<'SQL'
create table orders (
  id bigint generated always as identity primary key,
  customer text not null,
  amount numeric(12, 2) not null
);
insert into orders (customer, amount)
select 'Customer ' || (n % 30 + 1), n % 97 + 0.5 from generate_series(1, 1200) as n;

create role dynamic_query login password :'password';
grant select on all tables in schema public to dynamic_query;
SQL
