/** A value that sorts in Node, among those of its column, as the database sorts it. */
export type SortedValue = number | bigint | string;

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

/** Reads a value that PostgreSQL prints under the settings of `session.ts`. */
type ReadValue = (text: string) => SortedValue | undefined;

/** Comparing a bigint with a number is exact. */
function readInteger(text: string): SortedValue | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Texts of a form in which the order of the texts is that of the values. */
function textOf(form: RegExp): ReadValue {
  return (text) => (form.test(text) ? text : undefined);
}

/** A cast to text prints the whole word, and the change log its first letter. */
function readBoolean(text: string): SortedValue | undefined {
  if (text === 't' || text === 'true') return 1;
  return text === 'f' || text === 'false' ? 0 : undefined;
}

/** Texts compare by the places of their characters in UTF-16, which is not the order of UTF-8. */
function readBytes(text: string): SortedValue {
  return Buffer.from(text).toString('latin1');
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const MOMENT = String.raw`${DAY} \d\d:\d\d:\d\d(\.\d{1,6})?`;

/**
 * How values of a type are read. Years before 1 and after 9999, `infinity` and times outside UTC
 * have other forms, and are refused.
 */
const READERS: ReadonlyMap<string, ReadValue> = new Map([
  ['smallint', readInteger],
  ['integer', readInteger],
  ['bigint', readInteger],
  ['boolean', readBoolean],
  ['uuid', textOf(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)],
  ['bytea', textOf(/^\\x([\da-f]{2})*$/)],
  ['date', textOf(new RegExp(`^${DAY}$`))],
  ['timestamp without time zone', textOf(new RegExp(`^${MOMENT}$`))],
  ['timestamp with time zone', textOf(new RegExp(String.raw`^${MOMENT}\+00$`))],
]);

const TEXTS: ReadonlySet<string> = new Set(['text', 'character varying']);

function readerOf({ databaseType, isBytewise = false }: OrderedColumn): ReadValue | undefined {
  const type = databaseType.replace(/\(\d+\)/, '');
  return TEXTS.has(type) && isBytewise ? readBytes : READERS.get(type);
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
