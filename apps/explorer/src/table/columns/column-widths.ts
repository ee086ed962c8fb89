import { cellText } from '../../values/cell-text.ts';
import type { ExactRecord } from '../../values/exact-record.ts';

/** An attribute of a column. */
interface ColumnOf {
  readonly name: string;
  readonly type: string;
}

const NARROWEST = 10;
const WIDEST = 38;
/** The marks of the order and of the distribution are beside the name. */
const HEADER_EXTRA = 7;
/** Around a value, and around a chip. */
const [CELL_EXTRA, CHIP_EXTRA] = [3, 5];

/**
 * The width of a column in the width of a digit: wide enough for its name and for nine of ten of
 * these records, within limits.
 */
export function columnWidth({ name, type }: ColumnOf, records: readonly ExactRecord[]): number {
  const lengths = records
    .map((record) => cellText(record[name] ?? 'null', type).shown.length)
    .toSorted((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  const extra = type === 'enum' ? CHIP_EXTRA : CELL_EXTRA;
  return Math.min(WIDEST, Math.max(NARROWEST, name.length + HEADER_EXTRA, usual + extra));
}
