/** A value as JSON, in which a bigint is its digits, as it is where a client gives texts of them. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}
