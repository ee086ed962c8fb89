export type AnyRecord = Readonly<Record<string, unknown>>;

/** For people and spreadsheets: texts as they are, arrays and objects as JSON, NULL as `null`. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Keeps the order of the attributes; an object would move names such as `2026` to the front. */
export function jsonRecord(record: AnyRecord, attributes: readonly string[]): string {
  const members = attributes.map(
    (name) => `${JSON.stringify(name)}:${JSON.stringify(asSent(record[name]))}`,
  );
  return `{${members.join(',')}}`;
}

/** Counts and sums of the SDK travel as their digits. */
export function asSent(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
