/** A value as JSON, in which a bigint is a text of digits, as where a client gives no bigints. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}
