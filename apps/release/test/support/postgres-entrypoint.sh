#!/bin/sh
# What the official image of PostgreSQL does at its first start, with Debian's programs.
set -eu
PATH="$1:$PATH"
PGHOST=/tmp
export PATH PGHOST
data=$(mktemp -d)
initdb --pgdata "$data" --username postgres --pwfile "$POSTGRES_PASSWORD_FILE" \
  --auth-local trust --auth-host scram-sha-256 --no-sync > /dev/null
echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
pg_ctl --pgdata "$data" --wait --silent --options "-k /tmp -c listen_addresses=''" start
createdb --username postgres "$POSTGRES_DB"
for script in /docker-entrypoint-initdb.d/*.sh; do "$script"; done
pg_ctl --pgdata "$data" --wait --silent stop
exec postgres -D "$data" -k /tmp -c listen_addresses='*' -c fsync=off
