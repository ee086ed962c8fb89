export interface ScratchRecord {
  readonly id: number;
  readonly amount: number;
}

/** Holds in every state: one record of each pair of ids, with this sum of amounts. */
export const INVARIANT = { records: 64, amount: 1000 } as const;

/** The difference of a pair's ids: odd, so that halves by even and odd ids differ. */
export const PAIR = 1001;

export function recordsAtFirst(): ScratchRecord[] {
  return Array.from({ length: INVARIANT.records }, (_, index) => ({
    id: index + 1,
    amount: INVARIANT.amount,
  }));
}

export type Fault = 'contradiction' | 'impossible';

export interface Seen {
  readonly ids: readonly number[];
  /** Of each record, in any order. */
  readonly amounts: readonly number[];
  /** As the same reply counts them. */
  readonly total: number;
  /** The id of the record that the reply was to contain. Default: none. */
  readonly named?: number | undefined;
}

/** `contradiction`: a wrong total, or no named record. `impossible`: in no state. */
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
