/** A record with each value as its JSON text. */
export type ExactRecord = Readonly<Record<string, string>>;

/** Types a record whose values are JSON texts already; a value that is none is written as one. */
export function exactRecord(record: Readonly<Record<string, unknown>>): ExactRecord {
  const texts = Object.entries(record).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}
