import { type RawBuilder, sql } from 'kysely';

/**
 * Kysely's `sql` for a text that is laid out on several lines. The database gets it as one line: a
 * line break with the white space around it becomes a space, and nothing inside of parentheses.
 */
export function sqlBlock(
  texts: TemplateStringsArray,
  ...values: readonly unknown[]
): RawBuilder<unknown> {
  const lines = texts.map((text) => text.replaceAll(LINE_BREAK, joinLines));
  const first = lines[0]?.trimStart() ?? '';
  const all = [first, ...lines.slice(1)];
  const last = all.length - 1;
  all[last] = all[last]?.trimEnd() ?? '';
  return sql(Object.assign(all, { raw: all }), ...values);
}

/** The same for a text without values. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(LINE_BREAK, joinLines);
}

const LINE_BREAK = /(\(?)\s*\n\s*(\)?)/g;

function joinLines(_text: string, opening: string, closing = ''): string {
  return opening === '' && closing === '' ? ' ' : opening + closing;
}
