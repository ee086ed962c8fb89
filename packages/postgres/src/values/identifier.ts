/** A name as SQL has it, whatever its letters. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
