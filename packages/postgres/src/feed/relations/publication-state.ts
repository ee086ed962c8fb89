import type { Statement } from '@proj/engine/database';

import { FIRST_WITH_PUBLISHED_SCHEMAS } from './stamp.ts';

const SCHEMAS = `
  , '|', (
    select string_agg(concat_ws(' ', s.oid, s.xmin, s.xmax), ',' order by s.oid)
    from pg_publication_namespace s
    where s.pnpubid = p.oid
  )`;

/**
 * Selects the state of a publication, a text that changes whenever the publication does. Following
 * then begins anew with a new slot, which is created when all transactions that wrote before the
 * change have ended: the decoder of the old slot may have cached for one of them that a table is
 * not published, and leave out its changes.
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
