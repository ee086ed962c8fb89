import { hash } from 'node:crypto';

import type { Source } from '../sources/source.ts';

/**
 * How callers see the version of the data: opaque, since a source's own may show how busy it
 * is, which callers need not know.
 */
export class PublishedVersion {
  readonly #source: Pick<Source, 'shared'>;
  #last: { readonly version: string; readonly text: string } | undefined;

  constructor(source: Pick<Source, 'shared'>) {
    this.#source = source;
  }

  of(version: string | undefined): string | undefined {
    if (version === undefined) return undefined;
    if (this.#last?.version !== version) {
      const digest = hash('sha256', this.#source.shared?.(version) ?? version, 'base64url');
      this.#last = { version, text: digest.slice(0, 22) };
    }
    return this.#last.text;
  }
}
