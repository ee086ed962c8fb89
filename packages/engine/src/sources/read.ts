import type { FacetStatements, KeysStatement, RowsStatement } from '../sql/query-statements.ts';
import type { FacetValues } from '../sql/dialect.ts';
import type { Statement } from '../sql/statement.ts';
import { FACETS, type FacetsRead } from './facets/read-facets.ts';
import { PAGE, type PageFound, PAGES, type PagesRead, type QueryPage } from './reads/page.ts';
import { type AskedRecord, RECORD, type RecordReading } from './reads/record.ts';
import {
  type RowRead,
  type SortEstimate,
  unversioned,
  type Versioned,
  type KeyRows,
  type ReadRule,
  type Snapshot,
  type SnapshotRule,
  type SnapshotTerms,
} from './reads/snapshot.ts';
import { WHOLE_RELATION } from './read-call.ts';

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

const RULES = {
  page: PAGE,
  pages: PAGES,
  record: RECORD,
  row: ROW,
  facets: FACETS,
  keys: { termsOf: (keys) => ({ ...keys, session: keys.keys.session }), isBackground: true },
  sort: { termsOf: ({ keys: { session } }) => ({ session }), isBackground: true },
} satisfies { readonly [Kind in ReadKind]: ReadRule<Asked<Kind>> };

type OwnKind = {
  [Kind in ReadKind]: (typeof RULES)[Kind] extends SnapshotRule<Asked<Kind>, Found<Kind>>
    ? never
    : Kind;
}[ReadKind];

/** The reads that a source answers itself: those it must, and any others. */
export type OwnReads<Answers extends Record<ReadKind, unknown>> = Pick<Answers, OwnKind> &
  Partial<Answers>;

type Rule<Kind extends ReadKind> = ReadRule<Asked<Kind>> &
  Partial<SnapshotRule<Asked<Kind>, Found<Kind>>>;

function ruleOf<Kind extends ReadKind>(kind: Kind): Rule<Kind> {
  const rules: { readonly [K in ReadKind]: Rule<K> } = RULES;
  return rules[kind];
}

export function termsOf<Kind extends ReadKind>(read: Read<Kind>): SnapshotTerms {
  return ruleOf(read.kind).termsOf(read.asked);
}

export function shaped<Kind extends ReadKind, Call extends object>(
  read: Read<Kind>,
  call: Call,
): Call & { readonly shape?: string } {
  const shape = ruleOf(read.kind).shapeOf?.(read.asked);
  return shape === undefined ? call : { ...call, shape };
}

/** Whether a read must not use the connections of callers. */
export function isBackground({ kind }: { readonly kind: ReadKind }): boolean {
  return ruleOf(kind).isBackground === true;
}

export async function readInSnapshot<Kind extends ReadKind>(
  snapshot: Snapshot,
  read: Read<Kind>,
  values: FacetValues = {},
): Promise<Found<Kind>> {
  const rule = ruleOf(read.kind);
  if (rule.inSnapshot === undefined)
    throw new Error(`This database has no statements of its own for '${read.kind}'.`);
  return rule.inSnapshot(snapshot, read.asked, values);
}
