import { QueryFailedError } from '../../errors.ts';
import type { Checkpoints } from '../../sources/following/followed-moment.ts';
import { NO_ROWS, NOT_IN_LIST, offsetOfPage } from '../../sources/reads/record.ts';
import type { AskedRecord, ReadCall, Reads, RecordRows, Snapshot } from '../../sources/source.ts';
import { recordShape } from '../../sources/read-call.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { RecordStatements } from '../../sql/compile/compile-record.ts';
import type { RecordQuestion } from '../reader.ts';
import type { Condition } from '../../planning/condition.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import { bind } from '../../sql/statement.ts';

/** Values may become NULL, or cease to be, between attempts. */
const MAX_ATTEMPTS = 5;

export interface RecordRead {
  readonly question: RecordQuestion;
  readonly statements: RecordStatements;
  readonly checkpoints: Checkpoints | undefined;
  readonly total: bigint;
  readonly locate: (range: PageRange) => RowsStatement | undefined;
}

export async function readRecord(
  snapshot: Snapshot,
  { question: { record, size }, statements, checkpoints, total, locate }: RecordRead,
): Promise<RecordRows> {
  const started = performance.now();
  const rank = await placeOf(snapshot, { statements, record, checkpoints });
  if (rank === undefined) return NOT_IN_LIST;
  const offset = offsetOfPage(rank, size);
  const countedAt = performance.now();
  const path = locate({ size, offset });
  const rows = path === undefined ? NO_ROWS : await snapshot.rows(path);
  const milliseconds = { count: countedAt - started, rows: performance.now() - countedAt };
  return { ...rows, total, offset, milliseconds };
}

type CountedRecord = Pick<RecordRead, 'question' | 'statements'> & Pick<AskedRecord, 'total'>;

export async function readByCount(
  source: Reads<'record'>,
  { question, statements, total }: CountedRecord,
  call: ReadCall,
): Promise<RecordRows> {
  const { query, record, size } = question;
  const list = query.statements;
  const find = statements.find(record);
  const shaped = { ...call, shape: recordShape(list, false) };
  let nulls = statements.usualNulls;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = { nulls, template: statements.countBefore({ record: nulls }) };
    const asked = { query: list, size, find, before, total };
    const { otherNulls, ...page } = await source.read({ kind: 'record', asked }, shaped);
    if (otherNulls === undefined) return page;
    statements.usualNulls = nulls = otherNulls;
  }
  const message = 'A value of the record became NULL faster than its page could be read.';
  throw new QueryFailedError('database_unavailable', message);
}

/** Compared with a record in one statement. */
const KEYS_AT_ONCE = 64;

/** Counting these takes no longer than another comparison. */
const FEW_ROWS = 4000n;

/** The statements bind only keys. */
const NO_RANGE = { limit: 0, offset: 0 };

interface PlaceSearch extends Pick<RecordRead, 'statements' | 'checkpoints'> {
  readonly record: Condition;
}

/** Compares with checkpoints, then counts. Undefined where the list does not have the record. */
export async function placeOf(
  snapshot: Pick<Snapshot, 'row' | 'count'>,
  { statements, record, checkpoints }: PlaceSearch,
): Promise<bigint | undefined> {
  const key = await snapshot.row(statements.find(record));
  if (key === undefined) return undefined;
  const search = { snapshot, statements, key };
  const last = checkpoints && (await lastBefore(search, checkpoints));
  const from = last === undefined ? undefined : checkpoints?.keyAt(last);
  const template = statements.countBefore({ record: nullsOf(key), from: from && nullsOf(from) });
  const range = bind(template, { ...NO_RANGE, key: [...key, ...(from ?? [])] });
  const counted = await snapshot.count(range, from !== undefined);
  return counted + (last === undefined ? 0n : (checkpoints?.rowsBefore(last) ?? 0n));
}

interface KeySearch {
  readonly snapshot: Pick<Snapshot, 'row'>;
  readonly statements: RecordStatements;
  readonly key: Key;
}

/** A close checkpoint at or before the record; undefined if all are behind it. */
async function lastBefore(search: KeySearch, checkpoints: Checkpoints) {
  const { length, rowsBefore, keyAt } = checkpoints;
  // Checkpoints before `low` are not behind the record; those from `high` on are.
  let [low, high] = [0, length];
  while (low < high && (low === 0 || rowsBefore(high - 1) - rowsBefore(low - 1) > FEW_ROWS)) {
    const places = spread(low, high);
    const passed = await countPassed(search, places.map(keyAt));
    [low, high] = [(places[passed - 1] ?? low - 1) + 1, places[passed] ?? high];
  }
  return low === 0 ? undefined : low - 1;
}

function spread(low: number, high: number): number[] {
  const count = Math.min(KEYS_AT_ONCE, high - low);
  return Array.from(
    { length: count },
    (_none, index) => low + Math.floor((index * (high - low)) / count),
  );
}

async function countPassed({ snapshot, statements, key }: KeySearch, keys: readonly Key[]) {
  const template = statements.comparison({ record: nullsOf(key), keys: keys.map(nullsOf) });
  const compared = bind(template, { ...NO_RANGE, key: [...key, ...keys.flat()] });
  // On SQLite a writer may move the record between two reads: its page then has no version.
  const [passed = 0] = (await snapshot.row(compared, true)) ?? [];
  return Number(passed);
}

function nullsOf(key: Key): boolean[] {
  return key.map((value) => value === null);
}
