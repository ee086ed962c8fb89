/** A record of the scratch table. */
export interface ScratchRecord {
  readonly id: number;
  readonly amount: number;
}

/**
 * What holds in every state of the scratch table: so many records, one of each pair of ids, and
 * their amounts together. Each writer has pairs of its own.
 */
export const INVARIANT = { records: 64, amount: 1000 } as const;

/** What ids of a pair differ by. It is odd, so that halves by the evenness of ids are untrue. */
export const PAIR = 1001;

/** The records before the first write. */
export function recordsAtFirst(): ScratchRecord[] {
  return Array.from({ length: INVARIANT.records }, (_, index) => ({
    id: index + 1,
    amount: INVARIANT.amount,
  }));
}

/** What is wrong with a read of the whole table. */
export type Fault = 'contradiction' | 'impossible';

/** What a read showed of the whole table. */
export interface Seen {
  /** Of each record. */
  readonly ids: readonly number[];
  /** Of each record, in any order. */
  readonly amounts: readonly number[];
  /** How many records the same reply says that there are. */
  readonly total: number;
  /** The id of the record that the reply was to contain. Default: none was named. */
  readonly named?: number | undefined;
}

/**
 * Judges a read.
 *
 * @returns `contradiction` where the records are not as many as their total, or lack the one that
 *   was named, `impossible` where no state of the table has such records; undefined where nothing
 *   is wrong
 */
export function faultOf({ ids, amounts, total, named }: Seen): Fault | undefined {
  const isWhole = ids.length === total && amounts.length === total;
  if (!isWhole || (named !== undefined && !ids.includes(named))) return 'contradiction';
  const pairs = new Set(ids.map((id) => id % PAIR));
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const isTrue =
    total === INVARIANT.records &&
    pairs.size === INVARIANT.records &&
    sum === INVARIANT.records * INVARIANT.amount;
  return isTrue ? undefined : 'impossible';
}
