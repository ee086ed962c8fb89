export interface Encoding {
  readonly name: string;
  /** Its characters beyond ASCII, as a regular expression's class lists them. */
  readonly characters: string;
}

/** The first character that an encoding lacks. */
export function lackedCharacter(text: string, encoding: Encoding | undefined): string | undefined {
  if (encoding === undefined || /^\p{ASCII}*$/u.test(text)) return undefined;
  return new RegExp(`[^\\p{ASCII}${encoding.characters}]`, 'u').exec(text)?.[0];
}
