import { hash } from 'node:crypto';

import type { ReadCall } from '../sources/source.ts';
import type { FoundPage, ListQuestion, Reader } from './reader.ts';

/** A page with its digest. */
export type DigestedPage = FoundPage & { readonly digest: Digest };

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

/**
 * Gives each page that is read its digest. It comes before all links that keep pages or share them,
 * so that a page has one digest however often it is sent.
 */
export class DigestedReader implements Reader<ListQuestion, DigestedPage> {
  readonly #next: Reader<ListQuestion, FoundPage>;

  constructor(next: Reader<ListQuestion, FoundPage>) {
    this.#next = next;
  }

  async read(question: ListQuestion, call: ReadCall): Promise<DigestedPage> {
    const page = await this.#next.read(question, call);
    return { ...page, digest: new Digest(question.query.namesKey, page.json ?? '') };
  }
}
