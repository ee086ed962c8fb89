import { isTextType, type ReadValue, type SortedValue, valueReaderOf } from './sorted-value.ts';

/** The values of a key, of which any two can be compared. */
export type SortedKey = readonly SortedValue[];

/** A column that a list is ordered by. */
export interface OrderedColumn {
  /** As the database prints it, such as `timestamp(3) with time zone`. */
  readonly databaseType: string;
  readonly direction: 'asc' | 'desc';
  /** Whether texts are ordered by their bytes in UTF-8, as under the collation `C`. */
  readonly isBytewise?: boolean;
}

/** Texts compare by the places of their characters in UTF-16, which is not the order of UTF-8. */
function readBytes(text: string): SortedValue {
  return Buffer.from(text).toString('latin1');
}

function readerOf({ databaseType, isBytewise = false }: OrderedColumn): ReadValue | undefined {
  if (isBytewise && isTextType(databaseType)) return readBytes;
  return valueReaderOf(databaseType);
}

/**
 * The order of a list by its key, as far as it is the same in Node as in the database: keys of
 * other types, and single values out of the ordinary, cannot be compared.
 */
export class KeyOrder {
  readonly #readers: readonly ReadValue[];
  readonly #signs: readonly number[];

  private constructor(readers: readonly ReadValue[], columns: readonly OrderedColumn[]) {
    this.#readers = readers;
    this.#signs = columns.map(({ direction }) => (direction === 'asc' ? 1 : -1));
  }

  /** The order by these columns; undefined where Node cannot tell it. */
  static of(columns: readonly OrderedColumn[]): KeyOrder | undefined {
    const readers = columns.flatMap((column) => readerOf(column) ?? []);
    return readers.length === columns.length ? new KeyOrder(readers, columns) : undefined;
  }

  /** A key by its texts in the database; undefined where it cannot be compared. */
  read(texts: readonly unknown[]): SortedKey | undefined {
    const key = this.#readers.flatMap((read, index) => {
      const text = texts[index];
      return (typeof text === 'string' ? read(text) : undefined) ?? [];
    });
    return key.length === this.#readers.length ? key : undefined;
  }

  /** Less than 0 where the first key comes first, 0 where they are the same. */
  compare(a: SortedKey, b: SortedKey): number {
    for (let index = 0; index < this.#signs.length; index++) {
      const one = a[index] ?? 0;
      const other = b[index] ?? 0;
      if (one === other) continue;
      return one < other ? -(this.#signs[index] ?? 1) : (this.#signs[index] ?? 1);
    }
    return 0;
  }
}
