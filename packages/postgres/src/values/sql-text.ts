export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A relation, as SQL names it: no two have the same text. */
export function quotedPath(path: readonly string[]): string {
  return path.map(quoted).join('.');
}

/** A literal that does not depend on `standard_conforming_strings`. */
export function textLiteral(text: string): string {
  const literal = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${literal.replaceAll('\\', '\\\\')}` : literal;
}
