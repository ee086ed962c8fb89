/** A name as SQL has it, whatever its letters. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A literal that means the same whether or not backslashes escape in plain literals
 * (`standard_conforming_strings`).
 */
export function textLiteral(text: string): string {
  const literal = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${literal.replaceAll('\\', '\\\\')}` : literal;
}
