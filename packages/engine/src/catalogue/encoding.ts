/** How a column stores its texts, where that lacks characters of Unicode. */
export interface Encoding {
  /** The database's own name of it. */
  readonly name: string;
  /** The characters beyond ASCII that it has, as a class of a regular expression lists them. */
  readonly characters: string;
}

/** The first character of a text that an encoding lacks; undefined where it has them all. */
export function lackedCharacter(text: string, encoding: Encoding | undefined): string | undefined {
  if (encoding === undefined || /^\p{ASCII}*$/u.test(text)) return undefined;
  return new RegExp(`[^\\p{ASCII}${encoding.characters}]`, 'u').exec(text)?.[0];
}
