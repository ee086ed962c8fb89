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

/** @param label its name in the Encoding Standard, https://encoding.spec.whatwg.org */
export function singleByteCharacters(label: string): string {
  const bytes = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index);
  const characters = new TextDecoder(label).decode(bytes).replaceAll('\ufffd', '');
  // The standard fills the gaps of these with control characters, and databases leave them.
  return label.startsWith('windows') ? characters.replaceAll(/[\u0080-\u009f]/g, '') : characters;
}
