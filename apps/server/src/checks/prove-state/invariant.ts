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

/**
 * Judges a read.
 *
 * @param total how many records the same reply says that there are
 * @returns `contradiction` where the records are not as many as their total, `impossible` where no
 *   state of the table has such records; undefined where nothing is wrong
 */
export function faultOf(records: readonly ScratchRecord[], total: number): Fault | undefined {
  if (records.length !== total) return 'contradiction';
  const pairs = new Set(records.map(({ id }) => id % PAIR));
  const sum = records.reduce((all, { amount }) => all + amount, 0);
  const isTrue =
    total === INVARIANT.records &&
    pairs.size === INVARIANT.records &&
    sum === INVARIANT.records * INVARIANT.amount;
  return isTrue ? undefined : 'impossible';
}
