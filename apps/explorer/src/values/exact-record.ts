/** A record with each value as its JSON text. */
export type ExactRecord = Readonly<Record<string, string>>;

/** A group with each value as its JSON text. */
export function exactGroup(group: object): ExactRecord {
  const texts = Object.entries(group).map(([name, value]): [string, string] => [
    name,
    jsonText(value),
  ]);
  return Object.fromEntries(texts);
}

/** Types a record whose values are JSON texts already; a value that is none is written as one. */
export function exactRecord(record: Readonly<Record<string, unknown>>): ExactRecord {
  const texts = Object.entries(record).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : jsonText(value),
  ]);
  return Object.fromEntries(texts);
}

/** Counts, which the SDK reads as bigints, are digits. */
export function jsonText(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? String(value) : value);
}
