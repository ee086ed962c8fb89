import { hash } from 'node:crypto';

/**
 * A hash of records and of the names of their model and attributes. It is computed when it is first
 * asked for, and once, for all who get the page.
 */
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
