import {
  type Asked,
  Facets,
  type Found,
  type Read,
  type ReadCall,
  type ReadKind,
  Reads,
  type Snapshot,
} from '@proj/engine/database';

import type { Database } from './connection/database.ts';
import type { Ask } from './connection/running-work.ts';
import { estimateSort, readKeys } from './reads/read-keys.ts';
import { readPage, type ReadTerms, readSnapshot, readTogether } from './reads/read-page.ts';

type Answers = {
  readonly [Kind in ReadKind]: (
    database: Database,
    asked: ReadTerms & { readonly asked: Asked<Kind> },
    call: ReadCall,
  ) => Promise<Found<Kind>>;
};

const OWN_READS: Partial<Answers> = {
  page: (database, { asked: page, ...terms }, call) => readPage(database, { page, ...terms }, call),
  row: async (database, { asked: statement }, call) =>
    Reads.unversioned({ cells: await database.ask(statement, call) }),
  facets(database, { asked, stamped }, call) {
    const work = async (ask: Ask): Promise<Found<'facets'>> => {
      let version: string | undefined;
      const read = await Facets.readFacets(asked, {
        texts: async (statement) => {
          const texts = [...(await ask(statement))];
          version = texts.pop() ?? undefined;
          return texts;
        },
      });
      return { ...read, version };
    };
    const isAlone = stamped === undefined && asked.ranges === undefined;
    return isAlone
      ? database.versioned((noted) => work((one) => database.ask(one, noted)), call)
      : readTogether(database, { lock: asked.lock, stamped, work }, call);
  },
  keys: (database, { asked, stamped }, call) => readKeys(database, { ...asked, stamped }, call),
  sort: async (database, { asked }, call) =>
    Reads.unversioned(await estimateSort(database, asked, call)),
};

export function answerRead<Kind extends ReadKind>(
  database: Database,
  { read, ...terms }: ReadTerms & { readonly read: Read<Kind> },
  call: ReadCall,
): Promise<Found<Kind>> {
  const own = OWN_READS[read.kind];
  if (own !== undefined) return own(database, { asked: read.asked, ...terms }, call);
  const work = (snapshot: Snapshot): Promise<Found<Kind>> => Reads.readInSnapshot(snapshot, read);
  return readSnapshot(database, { ...terms, query: Reads.termsOf(read), work }, call);
}
