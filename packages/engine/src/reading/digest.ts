import { hash } from 'node:crypto';

/** Hashes records and their names once, when first asked for, for all who get the page. */
export class Digest {
  readonly #namesKey: string;
  readonly #json: string;
  #text: string | undefined;

  constructor(namesKey: string, json: string) {
    this.#namesKey = namesKey;
    this.#json = json;
  }

  get text(): string {
    this.#text ??= hash('sha256', this.#namesKey + this.#json, 'base64url');
    return this.#text;
  }
}
