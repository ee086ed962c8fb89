import type { Condition } from '../../planning/condition.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import type { Snapshot } from '../../sources/source.ts';
import type { Key } from '../../sql/clauses/key-ranges.ts';
import type { RecordStatements } from '../../sql/record-statements.ts';
import { bind } from '../../sql/statement.ts';

/** So many keys are compared with a record in one statement. */
const KEYS_AT_ONCE = 64;

/** Counting so many records takes no longer than another comparison. */
const FEW_ROWS = 4000n;

/** The statements bind no limit and no offset, only keys. */
const NO_RANGE = { limit: 0, offset: 0 };

/** What the place of a record is found by. */
export interface PlaceSearch {
  readonly statements: RecordStatements;
  readonly record: Condition;
  /** Keys along the list, in the state of the snapshot; undefined where there are none. */
  readonly checkpoints: Checkpoints | undefined;
}

/**
 * How many records of a list come before one; undefined where the list does not have it. The
 * database compares the record with the checkpoints, and counts the records from the last
 * checkpoint that is not behind it.
 */
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
  /** Of the record. */
  readonly key: Key;
}

/**
 * The index of a checkpoint that is not behind the record and is close to it. Undefined where the
 * record comes before all checkpoints.
 */
async function lastBefore(
  search: KeySearch,
  checkpoints: Checkpoints,
): Promise<number | undefined> {
  const { length, rowsBefore, keyAt } = checkpoints;
  // Checkpoints before index `low` are not behind the record; those from index `high` on are.
  let [low, high] = [0, length];
  while (low < high && (low === 0 || rowsBefore(high - 1) - rowsBefore(low - 1) > FEW_ROWS)) {
    const places = spread(low, high);
    const passed = await countPassed(search, places.map(keyAt));
    [low, high] = [(places[passed - 1] ?? low - 1) + 1, places[passed] ?? high];
  }
  return low === 0 ? undefined : low - 1;
}

/** Places at even distances, from the first one on: as many as are compared at once. */
function spread(low: number, high: number): number[] {
  const count = Math.min(KEYS_AT_ONCE, high - low);
  return Array.from(
    { length: count },
    (_none, index) => low + Math.floor((index * (high - low)) / count),
  );
}

/** How many of some keys, given in order, come before the record or are its own. */
async function countPassed(
  { snapshot, statements, key }: KeySearch,
  keys: readonly Key[],
): Promise<number> {
  const template = statements.comparison({ record: nullsOf(key), keys: keys.map(nullsOf) });
  const compared = bind(template, { ...NO_RANGE, key: [...key, ...keys.flat()] });
  const found = await snapshot.row(compared, true);
  if (found === undefined) throw new Error('A record is not found by the key that was read of it.');
  return Number(found[0]);
}

function nullsOf(key: Key): boolean[] {
  return key.map((value) => value === null);
}
