/** A text as one word of a POSIX shell. Plain words stay bare. */
export function shellQuote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
