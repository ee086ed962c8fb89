import { oneLine } from '@proj/engine/database';

/**
 * What policies hold for a role depends on: what it may do, and which roles it is a member of. The
 * plan of a statement has the policies of the moment at which it was made, and PostgreSQL makes no
 * other one when memberships change:
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/cache/plancache.c
 *
 * @param name the role's name, as SQL
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

/** The memberships of a role and of those that it is a member of, as a clause `with`. */
export function memberships(id: string): string {
  return `
    with recursive held (id, since) as (
      select m.roleid, m.xmin::text from pg_auth_members m where m.member = ${id}
      union
      select m.roleid, m.xmin::text from held h join pg_auth_members m on m.member = h.id
    )`;
}
