import type { FacetStatements, KeysStatement, RowsStatement } from '../sql/query-statements.ts';
import type { FacetValues } from '../sql/dialect.ts';
import { bind, type Statement } from '../sql/statement.ts';
import { FACETS, type FacetsRead } from './facets/read-facets.ts';
import { PAGE, type PageFound, PAGES, type PagesRead, type QueryPage } from './reads/page.ts';
import { type AskedRecord, RECORD, type RecordReading } from './reads/record.ts';
import {
  type RowRead,
  type SortEstimate,
  unversioned,
  type Versioned,
  type KeyRows,
  type Snapshot,
  type SnapshotRule,
  type SnapshotTerms,
} from './reads/snapshot.ts';
import { type ReadCall, WHOLE_RELATION } from './read-call.ts';

/** The last row's key is always there. */
export interface KeysRead extends KeyRows, Versioned {}

interface Reads {
  readonly page: { asked: QueryPage | RowsStatement; found: PageFound };
  readonly pages: { asked: readonly QueryPage[]; found: PagesRead };
  readonly record: { asked: AskedRecord; found: RecordReading };
  readonly row: { asked: Statement; found: RowRead };
  readonly facets: { asked: FacetStatements; found: FacetsRead };
  readonly keys: { asked: KeysStatement; found: KeysRead };
  readonly sort: { asked: KeysStatement; found: SortEstimate & Versioned };
}

export type ReadKind = keyof Reads;
export type Asked<Kind extends ReadKind> = Reads[Kind]['asked'];
export type Found<Kind extends ReadKind> = Reads[Kind]['found'];

/** Plain data, so that a read can travel to another process. */
export type Read<Kind extends ReadKind = ReadKind> = {
  [K in Kind]: { readonly kind: K; readonly asked: Asked<K> };
}[Kind];

const ROW: SnapshotRule<Statement, RowRead> = {
  termsOf: (row) => row,
  shapeOf: () => WHOLE_RELATION,
  inSnapshot: async (snapshot, row) => unversioned({ cells: await snapshot.row(row) }),
};

/** By a statement that gives the keys as one JSON text. */
const KEYS: SnapshotRule<KeysStatement, KeysRead> = {
  termsOf: ({ keys: { session, mayCall }, ...terms }) => ({ ...terms, session, mayCall }),
  lane: 'background',
  inSnapshot: async (snapshot, { keys, bindings: { size: limit, ...rest } }) => {
    const [json] = (await snapshot.row(bind(keys, { limit, ...rest }))) ?? [];
    return unversioned({ rows: JSON.parse((json as string | null) ?? '[]') });
  },
};

/** Of a database that bounds its sorts itself: in chunks, it would take a pass for each. */
const SORT: SnapshotRule<KeysStatement, SortEstimate & Versioned> = {
  termsOf: ({ keys: { session } }) => ({ session }),
  lane: 'background',
  inSnapshot: async (_, { maySort }) => {
    const rows = maySort ? Infinity : 0;
    return unversioned({ rows, rowBytes: 0, memoryBytes: Infinity, isBounded: true });
  },
};

type Rule<Kind extends ReadKind> = SnapshotRule<Asked<Kind>, Found<Kind>>;

const RULES: { readonly [Kind in ReadKind]: Rule<Kind> } = {
  page: PAGE,
  pages: PAGES,
  record: RECORD,
  row: ROW,
  facets: FACETS,
  keys: KEYS,
  sort: SORT,
};

function ruleOf<Kind extends ReadKind>(kind: Kind): Rule<Kind> {
  return RULES[kind];
}

export function termsOf<Kind extends ReadKind>(read: Read<Kind>): SnapshotTerms {
  return ruleOf(read.kind).termsOf(read.asked);
}

export function shaped<Kind extends ReadKind, Call extends object>(
  read: Read<Kind>,
  call: Call,
): Call & Pick<ReadCall, 'shape' | 'lane'> {
  const rule = ruleOf(read.kind);
  const shape = rule.shapeOf?.(read.asked);
  return { ...call, ...(shape !== undefined && { shape }), ...(rule.lane && { lane: rule.lane }) };
}

export function readInSnapshot<Kind extends ReadKind>(
  snapshot: Snapshot,
  read: Read<Kind>,
  values: FacetValues = {},
): Promise<Found<Kind>> {
  return ruleOf(read.kind).inSnapshot(snapshot, read.asked, values);
}
