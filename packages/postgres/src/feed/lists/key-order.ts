import { type ReadValue, type SortedValue, valueReaderOf } from '../changes/sorted-value.ts';

/**
 * The values of a key in a form that Node can compare. The value of a column that may be NULL is
 * preceded by 0 or 1: 0 for the part that sorts first (rows with NULL, or rows without), 1 for the
 * other. A key with fewer values sorts before all keys that begin with the same values.
 */
export type SortedKey = readonly SortedValue[];

/** A column that a list is ordered by. */
export interface OrderedColumn {
  /** As the database prints it, such as `timestamp(3) with time zone`. */
  readonly databaseType: string;
  readonly direction: 'asc' | 'desc';
  /** Where NULL comes; undefined where there is none. */
  readonly nulls?: 'first' | 'last' | undefined;
}

/** The rows whose first value is NULL, or those for which it is not. */
export type OrderPart = 'null' | 'not_null';

/** Adds the sortable form of a text to a key. Returns false where the text has none. */
type AddValue = (text: unknown, key: SortedValue[]) => boolean;

/**
 * The order of a list, for columns whose values Node sorts as the database does. Columns of other
 * types, and unusual values such as dates before year 1, cannot be compared.
 */
export class KeyOrder {
  /** The parts of a list whose first column may be NULL, in order; else none. */
  readonly parts: readonly OrderPart[];
  readonly #columns: readonly AddValue[];
  readonly #signs: readonly number[];

  protected constructor(values: readonly AddValue[], columns: readonly OrderedColumn[]) {
    this.#columns = values;
    this.#signs = columns.flatMap(({ direction, nulls }) => {
      const sign = direction === 'asc' ? 1 : -1;
      return nulls === undefined ? [sign] : [1, sign];
    });
    this.parts = partsOf(columns[0]?.nulls);
  }

  /** The order by these columns; undefined where Node cannot sort one of them. */
  static of(columns: readonly OrderedColumn[]): KeyOrder | undefined {
    const values = columns.flatMap(({ databaseType, nulls }) => {
      const read = valueReaderOf(databaseType);
      return read === undefined ? [] : [adderOf(read, nulls)];
    });
    return values.length === columns.length ? new KeyOrder(values, columns) : undefined;
  }

  /** A key by its texts in the database; undefined where it cannot be compared. */
  read(texts: readonly unknown[]): SortedKey | undefined {
    const key: SortedValue[] = [];
    const isKnown = this.#columns.every((add, index) => add(texts[index], key));
    return isKnown ? key : undefined;
  }

  /** What comes before all keys of a part. */
  startOf(part: OrderPart): SortedKey {
    return [this.parts.indexOf(part)];
  }

  /** The part that a key is in; undefined where the list has none. */
  partOf([first]: SortedKey): OrderPart | undefined {
    return this.parts[Number(first)];
  }

  /** Less than 0 where the first key comes first, 0 where they are the same. */
  compare(a: SortedKey, b: SortedKey): number {
    const length = Math.min(a.length, b.length);
    for (let index = 0; index < length; index++) {
      const one = a[index] ?? 0;
      const other = b[index] ?? 0;
      if (one === other) continue;
      return one < other ? -(this.#signs[index] ?? 1) : (this.#signs[index] ?? 1);
    }
    return a.length - b.length;
  }
}

function partsOf(nulls: OrderedColumn['nulls']): readonly OrderPart[] {
  if (nulls === undefined) return [];
  return nulls === 'first' ? ['null', 'not_null'] : ['not_null', 'null'];
}

function adderOf(read: ReadValue, nulls: OrderedColumn['nulls']): AddValue {
  const [ofValue, ofNull] = nulls === 'first' ? [1, 0] : [0, 1];
  return (text, key) => {
    if (text === null && nulls !== undefined) {
      key.push(ofNull, 0);
      return true;
    }
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value === undefined) return false;
    if (nulls !== undefined) key.push(ofValue);
    key.push(value);
    return true;
  };
}
