/**
 * What must never be shown, whatever text contains it: a server may send the token back.
 */
export class Secrets {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== '') this.#texts.add(text);
  }

  /** The text with every secret in it replaced. */
  hide(text: string): string {
    return [...this.#texts].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}
