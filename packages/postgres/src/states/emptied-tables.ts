import { oneLine } from '@proj/engine/database';

/**
 * Whether the transaction has read a table that was emptied, or written anew, between its snapshot
 * and the moment at which it locked it: such a table has another file than in the snapshot, which
 * finds no rows in it. What is locked stays as it is.
 */
export const HAS_READ_EMPTIED: string = oneLine(`
  select exists (
    select
    from pg_locks l
    join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid()
      and c.relkind in ('r', 'm')
      and c.relfilenode not in (0, pg_relation_filenode(c.oid))
  )::text
`);
