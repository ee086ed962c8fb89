import type { KeyTexts, RowChange } from '../changes/changes.ts';
import { valueReaderOf } from '../changes/sorted-value.ts';
import { KeyOrder, type OrderedColumn, type SortedKey } from './key-order.ts';

/** Types whose values the database alone can compare: texts are sorted by its collations. */
const PLACED = /^(text|character varying|character|numeric)(\(\d+(,\d+)?\))?$/;

/**
 * The order of a list as the database has it. Keys are numbered along the list: those that begin
 * its buckets, and for a while others that the database was asked to place among them.
 */
export class PlacedOrder extends KeyOrder {
  readonly #placed = new Map<string, SortedKey>();
  #generation = 0;

  private constructor(columns: readonly OrderedColumn[]) {
    super([], [{ databaseType: '', direction: 'asc', nulls: columns[0]?.nulls }]);
  }

  /** The order by these columns; undefined where one is of a type that cannot be placed. */
  static override of(columns: readonly OrderedColumn[]): PlacedOrder | undefined {
    const isKnown = columns.every(
      ({ databaseType }) => PLACED.test(databaseType) || valueReaderOf(databaseType) !== undefined,
    );
    return isKnown ? new PlacedOrder(columns) : undefined;
  }

  /** Another one after each time that the numbers of keys have changed. */
  get generation(): number {
    return this.#generation;
  }

  override read(texts: readonly unknown[]): SortedKey | undefined {
    return this.#placed.get(JSON.stringify(texts));
  }

  /** Whether all keys of some changes are known. */
  knows(rows: readonly RowChange[]): boolean {
    return keysOf(rows).every((texts) => this.read(texts) !== undefined);
  }

  /** The key with a number. */
  numbered(texts: KeyTexts, number: number): SortedKey {
    if (this.parts.length === 0) return [number];
    return [this.parts.indexOf(texts[0] === null ? 'null' : 'not_null'), number];
  }

  note(texts: KeyTexts, key: SortedKey): void {
    this.#placed.set(JSON.stringify(texts), key);
  }

  /** Forgets all keys, since they are to be numbered anew. */
  clear(): void {
    this.#placed.clear();
    this.#generation += 1;
  }
}

/** The number of a key. */
export function numberOf(key: SortedKey): number {
  return Number(key.at(-1));
}

/** The keys that rows had and have. */
export function keysOf(rows: readonly RowChange[]): KeyTexts[] {
  return rows.flatMap(({ came, went }) => [came, went].filter((texts) => texts !== undefined));
}
