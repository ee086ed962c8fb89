import { EndlessListError } from '../errors/errors.ts';
import type { PageTotal } from '../options/query.ts';

export interface Repetition {
  /** Of the last page. */
  readonly records: readonly unknown[];
  /** Records left after the last page; `null` without a total. */
  readonly remaining: PageTotal;
  /** Pages in a row like the one before, although their records differ from each other. */
  readonly copies: number;
  /** Pages in a row like the one before that brought the end no nearer. */
  readonly stalls: number;
}

interface Step {
  readonly number: number;
  readonly size: number;
  readonly total: PageTotal;
  readonly records: readonly unknown[];
}

/** A true list can repeat, such as weekdays read seven at a time, but hardly for this long. */
const MOST_COPIES = 2000;
/** A list of few distinct values that grows while it is read can look stalled for a while. */
const MOST_STALLS = 100;

/** @throws {EndlessListError} when the pages only repeat. */
export function trackRepetition(
  previous: Repetition | null,
  { number, size, total, records }: Step,
): Repetition {
  const remaining = total === null ? null : total - BigInt(number) * BigInt(size);
  if (previous === null || !areAlike(records, previous.records))
    return { records, remaining, copies: 0, stalls: 0 };

  const copies = areDistinct(records) ? previous.copies + 1 : 0;
  const stalls = isStalled(remaining, previous) ? previous.stalls + 1 : 0;
  if (copies <= MOST_COPIES && stalls <= MOST_STALLS) return { records, remaining, copies, stalls };
  throw new EndlessListError(
    number,
    'the server sends the same records under new page numbers. If the records really repeat, ' +
      'request the attributes of the key too',
  );
}

/** Unknown without totals. */
function isStalled(remaining: PageTotal, { remaining: before }: Repetition): boolean {
  return remaining !== null && before !== null && remaining >= before;
}

function areAlike(page: readonly unknown[], other: readonly unknown[]): boolean {
  if (page.length !== other.length || page.length === 0) return false;
  return page.every((record, index) => textOf(record) === textOf(other[index]));
}

/** Equal pages of a single record, or of equal records, say nothing. */
function areDistinct(records: readonly unknown[]): boolean {
  return records.length > 1 && new Set(records.map(textOf)).size === records.length;
}

/** JSON has no bigint; the letter distinguishes it from a string of the same digits. */
function textOf(record: unknown): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
