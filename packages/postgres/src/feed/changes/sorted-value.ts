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
  return READERS.get(withoutSize(databaseType));
}

function withoutSize(databaseType: string): string {
  return databaseType.replace(/\(\d+\)/, '');
}
