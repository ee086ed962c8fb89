/** Ends where a reader of a sentence expects it to. */
const PLAIN = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*$/u;

/** In quotes unless it is one word. */
export function nameText(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}

/** `id, "unit price"`. */
export function nameTexts(names: readonly string[]): string {
  return names.map(nameText).join(', ');
}
