import { type RawBuilder, sql } from 'kysely';

/** Kysely's `sql` for several lines, joined by nothing inside parentheses, else by a space. */
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

export function oneLine(text: string): string {
  return text.trim().replaceAll(LINE_BREAK, joinLines);
}

const LINE_BREAK = /(\(?)\s*\n\s*(\)?)/g;

function joinLines(_text: string, opening: string, closing = ''): string {
  return opening === '' && closing === '' ? ' ' : opening + closing;
}
