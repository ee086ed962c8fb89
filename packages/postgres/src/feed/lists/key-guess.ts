import type { KeyTexts } from '../changes/changes.ts';
import { valueReaderOf } from '../changes/sorted-value.ts';
import type { OrderedColumn } from './key-order.ts';

type Compare = (one: string, other: string) => number;

/** Texts as most collations of languages sort them, and numbers. */
const BY_LANGUAGE = new Intl.Collator('en', { numeric: false }).compare;

/**
 * Where keys probably are in the order of a list, so that the database has few comparisons to make:
 * what it finds is what counts.
 */
export class KeyGuess {
  readonly #columns: readonly OrderedColumn[];
  #isBytewise = false;

  constructor(columns: readonly OrderedColumn[]) {
    this.#columns = columns;
  }

  /** How many of some keys, given in order, are probably not behind another one. */
  passed(keys: readonly { readonly texts: KeyTexts }[], texts: KeyTexts): number {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(keys[middle]?.texts ?? [], texts) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Notes that guesses were wrong: texts may be sorted byte by byte, or not. */
  noteMisses(): void {
    this.#isBytewise = !this.#isBytewise;
  }

  #compare(one: KeyTexts, other: KeyTexts): number {
    for (const [place, column] of this.#columns.entries()) {
      const result = this.#compareIn(column, one[place] ?? null, other[place] ?? null);
      if (result !== 0) return result;
    }
    return 0;
  }

  #compareIn(
    { databaseType, direction, nulls }: OrderedColumn,
    one: string | null,
    other: string | null,
  ): number {
    if (one === other) return 0;
    if (one === null || other === null) return (one === null) === (nulls === 'first') ? -1 : 1;
    const result = this.#comparisonOf(databaseType)(one, other);
    return direction === 'asc' ? result : -result;
  }

  #comparisonOf(databaseType: string): Compare {
    if (databaseType.startsWith('numeric')) return (one, other) => Number(one) - Number(other);
    const read = valueReaderOf(databaseType);
    if (read !== undefined) return (one, other) => byUnits(read(one) ?? one, read(other) ?? other);
    return this.#isBytewise ? byUnits : BY_LANGUAGE;
  }
}

function byUnits<Value extends bigint | number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
