import type { Statement } from '../../../../sql/statement.ts';
import { FIRST_WITH_PUBLISHED_SCHEMAS } from './stamp.ts';

const SCHEMAS = `
  , '|', (
    select string_agg(concat_ws(' ', s.oid, s.xmin, s.xmax), ',' order by s.oid)
    from pg_publication_namespace s
    where s.pnpubid = p.oid
  )`;

/**
 * What a publication is like: another text as soon as it changes. Following then begins anew, with
 * a slot that is created when all transactions have ended that wrote before the change: a decoder
 * that looked a table up for one of them may keep what it found, and leave out the changes of a
 * table that was published meanwhile.
 */
export function publicationState(publication: string, serverVersion: number): Statement {
  return {
    parameters: [publication],
    sql: `
select concat(
  p.oid, ' ', p.xmin, ' ', p.xmax,
  '|', (
    select string_agg(concat_ws(' ', r.oid, r.xmin, r.xmax), ',' order by r.oid)
    from pg_publication_rel r
    where r.prpubid = p.oid
  )${serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS ? SCHEMAS : ''}
)
from pg_publication p
where p.pubname = $1`,
  };
}
