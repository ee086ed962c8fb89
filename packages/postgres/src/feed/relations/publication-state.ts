import type { Statement } from '@proj/engine/database';

import { FIRST_WITH_PUBLISHED_SCHEMAS } from './stamp.ts';

const SCHEMAS = `
  , '|', (
    select string_agg(concat_ws(' ', s.oid, s.xmin, s.xmax), ',' order by s.oid)
    from pg_publication_namespace s
    where s.pnpubid = p.oid
  )`;

/**
 * Changes whenever the publication does. Then a new slot is created, after all transactions that
 * wrote before have ended: the old slot's decoder may believe that a table is still unpublished for
 * them, and leave out its changes.
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
