import {
  type Asked,
  type Found,
  type OwnReads,
  type Read,
  type ReadKind,
  Reads,
  type Snapshot,
} from '@proj/engine/database';

import { facetValues } from './facets/facet-values.ts';
import { estimateSort, readKeys } from './reads/read-keys.ts';
import type { Session } from './reads/session.ts';

interface Place {
  readonly session: Session;
  readonly snapshot: Snapshot;
}

type Answers = {
  readonly [Kind in ReadKind]: (session: Session, asked: Asked<Kind>) => Promise<Found<Kind>>;
};

const OWN_READS: OwnReads<Answers> = {
  keys: async (session, keys) => Reads.unversioned({ rows: readKeys(session, keys) }),
  sort: async (session, keys) => Reads.unversioned(estimateSort(session, keys)),
};

export function answerRead<Kind extends ReadKind>(
  { session, snapshot }: Place,
  read: Read<Kind>,
): Promise<Found<Kind>> {
  const own: Partial<Answers>[Kind] = OWN_READS[read.kind];
  return own === undefined
    ? Reads.readInSnapshot(snapshot, read, facetValues)
    : own(session, read.asked);
}
