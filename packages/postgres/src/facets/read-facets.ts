import { type Asked, Facets, type Found, type ReadCall } from '@proj/engine/database';

import type { Database } from '../connection/database.ts';
import type { ReadTerms } from '../reads/read-page.ts';
import { type Ask, inOrder } from '../connection/running-work.ts';

export function readFacets(
  database: Database,
  { stamped, ...statements }: Asked<'facets'> & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<Found<'facets'>> {
  return database.versioned(async (noted) => {
    if (stamped === undefined && (statements.ranges === undefined || !statements.hasSnapshots))
      return readIn((statement) => database.ask(statement, noted), statements);
    const { read, stamp } = await database.inSnapshot(async (ask) => {
      if (stamped === undefined) {
        // The next statement takes the snapshot, which a lock does not.
        if (statements.lock !== undefined) await ask(statements.lock);
        return { read: await readIn(ask, statements), stamp: [] };
      }
      const [, taken] = await inOrder([ask(stamped.lock), ask(stamped.stamp)]);
      return { read: await readIn(ask, statements), stamp: taken };
    }, noted);
    const moment = await stamped?.moment(stamp);
    return moment === undefined ? read : { ...read, version: moment.version };
  }, call);
}

async function readIn(ask: Ask, statements: Asked<'facets'>): Promise<Found<'facets'>> {
  let version: string | undefined;
  const read = await Facets.readFacets(statements, {
    texts: async (statement) => {
      const texts = [...(await ask(statement))];
      version = texts.pop() ?? undefined;
      return texts;
    },
  });
  return { ...read, version };
}
