/** Sorts in Node as its column does in the database. */
export type SortedValue = number | bigint | string;

/** Reads a value printed under the settings of `session.ts`. */
export type ReadValue = (text: string) => SortedValue | undefined;

/** Comparing a bigint with a number is exact. */
function readInteger(text: string): SortedValue | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** For forms whose texts sort as their values do. */
function textOf(form: RegExp): ReadValue {
  return (text) => (form.test(text) ? text : undefined);
}

/** A cast to text prints the word, the change log its first letter. */
function readBoolean(text: string): SortedValue | undefined {
  if (text === 't' || text === 'true') return 1;
  return text === 'f' || text === 'false' ? 0 : undefined;
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const MOMENT = String.raw`${DAY} \d\d:\d\d:\d\d(\.\d{1,6})?`;

/** Sorts before and behind all digits, as the value does. */
const INFINITY = '-?infinity';

/** Refuses years before 1 and after 9999, and times outside UTC, which print differently. */
const READERS: ReadonlyMap<string, ReadValue> = new Map([
  ['smallint', readInteger],
  ['integer', readInteger],
  ['bigint', readInteger],
  ['boolean', readBoolean],
  ['uuid', textOf(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)],
  ['bytea', textOf(/^\\x([\da-f]{2})*$/)],
  ['date', textOf(new RegExp(`^(${INFINITY}|${DAY})$`))],
  ['timestamp without time zone', textOf(new RegExp(`^(${INFINITY}|${MOMENT})$`))],
  ['timestamp with time zone', textOf(new RegExp(String.raw`^(${INFINITY}|${MOMENT}\+00)$`))],
]);

/** By type name as the database prints it; undefined for types that Node can't compare alike. */
export function valueReaderOf(databaseType: string): ReadValue | undefined {
  return READERS.get(withoutModifier(databaseType));
}

export function withoutModifier(databaseType: string): string {
  return databaseType.replace(/\(\d+\)/, '');
}

/**
 * A key in a form that Node can compare. Before a nullable value is 0 or 1, for the part (NULLs or
 * others) that sorts first or last. A shorter key sorts before those that it begins.
 */
export type SortedKey = readonly SortedValue[];

export interface OrderedColumn {
  /** As the database prints it, such as `timestamp(3) with time zone`. */
  readonly databaseType: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last' | undefined;
}

export type IsBefore = (one: SortedValue, other: SortedValue) => boolean;

export type OrderPart = 'null' | 'not_null';

/** Sorts as the database does, but not other types, nor values such as dates before year 1. */
export class KeyOrder {
  /** In order; empty unless the first column may be NULL. */
  readonly parts: readonly OrderPart[];
  readonly #columns: readonly (Pick<OrderedColumn, 'nulls'> & { readonly read: ReadValue })[];
  readonly #signs: readonly number[];
  readonly #isBefore: IsBefore;

  constructor(
    columns: readonly OrderedColumn[],
    readerOf: (databaseType: string) => ReadValue,
    isBefore: IsBefore = (one, other) => one < other,
  ) {
    this.#isBefore = isBefore;
    this.#columns = columns.map(({ databaseType, nulls }) => ({
      read: readerOf(databaseType),
      nulls,
    }));
    this.#signs = columns.flatMap(({ direction, nulls }) => {
      const sign = direction === 'asc' ? 1 : -1;
      return nulls === undefined ? [sign] : [1, sign];
    });
    this.parts = partsOf(columns[0]?.nulls);
  }

  static of(columns: readonly OrderedColumn[]): KeyOrder | undefined {
    const isKnown = columns.every(({ databaseType }) => valueReaderOf(databaseType) !== undefined);
    return isKnown ? new KeyOrder(columns, (type) => valueReaderOf(type) ?? String) : undefined;
  }

  /** From texts of the database; undefined where Node can't compare one. */
  read(texts: readonly unknown[]): SortedKey | undefined {
    const key: SortedValue[] = [];
    for (const [index, { read, nulls }] of this.#columns.entries()) {
      const text = texts[index];
      const isNull = text === null && nulls !== undefined;
      let value = typeof text === 'string' ? read(text) : undefined;
      if (isNull) value = 0;
      if (value === undefined) return undefined;
      if (nulls !== undefined) key.push(isNull === (nulls === 'first') ? 0 : 1);
      key.push(value);
    }
    return key;
  }

  startOf(part: OrderPart): SortedKey {
    return [this.parts.indexOf(part)];
  }

  partOf([first]: SortedKey): OrderPart | undefined {
    return this.parts[Number(first)];
  }

  compare(a: SortedKey, b: SortedKey): number {
    const length = Math.min(a.length, b.length);
    for (let index = 0; index < length; index++) {
      const one = a[index] ?? 0;
      const other = b[index] ?? 0;
      if (one === other) continue;
      return this.#isBefore(one, other) ? -(this.#signs[index] ?? 1) : (this.#signs[index] ?? 1);
    }
    return a.length - b.length;
  }

  /** How many of some keys in order are not behind another. */
  passed(length: number, keyAt: (index: number) => SortedKey, key: SortedKey): number {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(keyAt(middle), key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function partsOf(nulls: OrderedColumn['nulls']): readonly OrderPart[] {
  if (nulls === undefined) return [];
  return nulls === 'first' ? ['null', 'not_null'] : ['not_null', 'null'];
}
