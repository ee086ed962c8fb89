import { oneLine } from '@proj/engine/database';

/**
 * A role's rights and memberships. Plans keep the policies of the time they were made:
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/cache/plancache.c
 */
export function roleState(name: string): string {
  return oneLine(`(
    select concat_ws(' ', own.rolsuper, own.rolbypassrls, own.rolinherit, (${memberships('own.oid')}
      select string_agg(concat_ws('/', h.id, h.since, r.rolinherit), ',' order by h.id, h.since)
      from held h
      join pg_roles r on r.oid = h.id
    ))
    from pg_roles own
    where own.rolname = ${name}
  )`);
}

/** A `with` clause: the memberships of a role, at any depth. */
export function memberships(id: string): string {
  return `
    with recursive held (id, since) as (
      select m.roleid, m.xmin::text from pg_auth_members m where m.member = ${id}
      union
      select m.roleid, m.xmin::text from held h join pg_auth_members m on m.member = h.id
    )`;
}
