import type { Condition } from '../../planning/condition.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import type { Snapshot } from '../../sources/source.ts';
import type { Key } from '../../sql/clauses/key-ranges.ts';
import type { RecordStatements } from '../../sql/record-statements.ts';
import { bind } from '../../sql/statement.ts';

/** Compared with a record in one statement. */
const KEYS_AT_ONCE = 64;

/** Counting these takes no longer than another comparison. */
const FEW_ROWS = 4000n;

/** The statements bind only keys. */
const NO_RANGE = { limit: 0, offset: 0 };

export interface PlaceSearch {
  readonly statements: RecordStatements;
  readonly record: Condition;
  /** In the snapshot's state. */
  readonly checkpoints: Checkpoints | undefined;
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
async function lastBefore(
  search: KeySearch,
  checkpoints: Checkpoints,
): Promise<number | undefined> {
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

/** Even distances, as many as are compared at once. */
function spread(low: number, high: number): number[] {
  const count = Math.min(KEYS_AT_ONCE, high - low);
  return Array.from(
    { length: count },
    (_none, index) => low + Math.floor((index * (high - low)) / count),
  );
}

/** How many of the ordered keys are at or before the record. */
async function countPassed(
  { snapshot, statements, key }: KeySearch,
  keys: readonly Key[],
): Promise<number> {
  const template = statements.comparison({ record: nullsOf(key), keys: keys.map(nullsOf) });
  const compared = bind(template, { ...NO_RANGE, key: [...key, ...keys.flat()] });
  // On SQLite a writer may move the record between two reads: its page then has no version.
  const [passed = 0] = (await snapshot.row(compared, true)) ?? [];
  return Number(passed);
}

function nullsOf(key: Key): boolean[] {
  return key.map((value) => value === null);
}
