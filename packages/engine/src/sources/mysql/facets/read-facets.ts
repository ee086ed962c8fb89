import type { FacetStatements } from '../../../sql/facet-statements.ts';
import { readFacets as readBy } from '../../facets/read-facets.ts';
import type { FacetsRead } from '../../source.ts';
import type { Connection } from '../connection/connection.ts';
import { isSnapshotTooOld } from '../connection/errors.ts';
import { boundValue } from './facet-bounds.ts';
import { answerOfRows, rangesOfRows } from './facet-cells.ts';
import { type Session, versionedRelations } from '../reads/read-page.ts';

/** Beside the values, a reply describes its columns and has counts, in less than this. */
const FRAME_BYTES = 4 * 2 ** 20;

/** How often a table may be emptied or altered while it is read. */
const MAX_ATTEMPTS = 3;

/** Reads facets from one snapshot, in one transaction where that takes more than one statement. */
export async function readFacets(
  session: Session,
  statements: FacetStatements,
): Promise<FacetsRead> {
  const { connection, versions } = session;
  const relations = versionedRelations(session, statements);
  const { lock } = statements;
  const isOneStatement = statements.ranges === undefined || !statements.hasSnapshots;
  const work = (): Promise<Omit<FacetsRead, 'version'>> => readIn(connection, statements);
  if (isOneStatement && relations === undefined) return { ...(await work()), version: undefined };
  for (let attempt = 1; ; attempt++) {
    try {
      const { value, version } = await versions.read(connection, { work, relations, lock });
      return { ...value, version };
    } catch (error) {
      // Such a table shows nothing of itself to older snapshots.
      if (!isSnapshotTooOld(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function readIn(
  connection: Connection,
  statements: FacetStatements,
): Promise<Omit<FacetsRead, 'version'>> {
  const maxBytes = statements.maxBytes + FRAME_BYTES;
  return readBy(statements, {
    ranges: async (statement) => rangesOfRows(await connection.execute(statement), statements),
    facets: async (statement) =>
      answerOfRows(await connection.execute(statement, maxBytes), statements),
    boundValue,
    hasFixedScale: () => true,
  });
}
