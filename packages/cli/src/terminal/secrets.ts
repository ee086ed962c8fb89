/** Hides texts in all output, such as the token, which a server may send back. */
export class Secrets {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== '') this.#texts.add(text);
  }

  hide(text: string): string {
    return [...this.#texts].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}
