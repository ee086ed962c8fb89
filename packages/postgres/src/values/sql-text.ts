export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A literal that does not depend on `standard_conforming_strings`. */
export function textLiteral(text: string): string {
  const literal = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${literal.replaceAll('\\', '\\\\')}` : literal;
}
