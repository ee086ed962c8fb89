/**
 * A literal that means the same whether or not backslashes escape in plain literals
 * (`standard_conforming_strings`).
 */
export function textLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
