const QUOTED = /(['"`])((?:(?!\1)[^]|\1\1)*)\1/uy;

/** What is in quotes, where each of the same quotes inside is written twice. */
export interface Quoted {
  readonly quote: string;
  readonly text: string;
  /** Behind the last quote, in the text around it. */
  readonly end: number;
}

/** Reads a name in backticks, or a value in other quotes. */
export function quotedAt(text: string, at: number): Quoted | undefined {
  QUOTED.lastIndex = at;
  const [all, quote = '', inner = ''] = QUOTED.exec(text) ?? [];
  if (all === undefined) return undefined;
  return { quote, text: inner.replaceAll(quote + quote, quote), end: at + all.length };
}
