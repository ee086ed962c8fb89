import { type RawBuilder, sql } from 'kysely';

/** What `"char"` is sorted by: its one byte, which its text shows as `\310` beyond ASCII. */
export function byteOfChar(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`charsend(${column})`;
}

/** The bytes of a text in the order of `"char"`, in hexadecimal digits; of no text the byte 0. */
export function charBytes(text: string): string {
  const [, octal] = /^\\([23][0-7]{2})$/.exec(text) ?? [];
  if (octal !== undefined) return Number.parseInt(octal, 8).toString(16);
  return Buffer.from(text || '\0').toString('hex');
}
