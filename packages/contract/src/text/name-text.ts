/** A name that ends where a reader of a sentence expects it to. */
const PLAIN = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*$/u;

/** A name of a model, an attribute or a column in a message: in quotes unless it is one word. */
export function nameText(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}

/** Several of them: `id, "unit price"`. */
export function nameTexts(names: readonly string[]): string {
  return names.map(nameText).join(', ');
}
