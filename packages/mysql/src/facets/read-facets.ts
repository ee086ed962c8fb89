import { type Asked, type Found, Facets, Reads } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { mysqlGroups } from './groups.ts';
import { textsOf } from './select-lists.ts';
import { needsVersion, readTogether, type Session } from '../reads/read-page.ts';

/** A reply's column descriptions and counts take less than this. */
const FRAME_BYTES = 4 * 2 ** 20;

export async function readFacets(
  session: Session,
  statements: Asked<'facets'>,
): Promise<Found<'facets'>> {
  const isOneStatement = statements.ranges === undefined || !statements.hasSnapshots;
  const work = (): Promise<Found<'facets'>> => readIn(session.connection, statements);
  if (isOneStatement && !needsVersion(session, statements)) return work();
  return readTogether(session, statements, work);
}

async function readIn(
  connection: Connection,
  statements: Asked<'facets'>,
): Promise<Found<'facets'>> {
  const maxBytes = statements.maxBytes + FRAME_BYTES;
  const read = await Facets.readFacets(statements, {
    texts: async (statement, fields) =>
      textsOf(await connection.execute(statement, maxBytes), fields, statements.maxBytes),
    ...mysqlGroups,
  });
  return Reads.unversioned(read);
}
