const QUOTED = /(['"`])((?:(?!\1)[^]|\1\1)*)\1/uy;

/** What is in quotes, where each of the same quotes inside is written twice. */
export interface Quoted {
  readonly quote: string;
  readonly text: string;
  /** Where it ends in the text around it. */
  readonly end: number;
}

/** What is in quotes at this place of a text: a name in backticks, or a value in other quotes. */
export function quotedAt(text: string, at: number): Quoted | undefined {
  QUOTED.lastIndex = at;
  const [all, quote = '', inner = ''] = QUOTED.exec(text) ?? [];
  if (all === undefined) return undefined;
  return { quote, text: inner.replaceAll(quote + quote, quote), end: at + all.length };
}
