import { hash } from 'node:crypto';

import type { DataVersionSource } from '../../sources/source.ts';

/** Opaque, since a source's own version may show how busy it is. */
export class PublishedVersion {
  readonly #versions: Pick<DataVersionSource, 'shared'> | undefined;
  #last: { readonly version: string; readonly text: string } | undefined;

  constructor(versions: Pick<DataVersionSource, 'shared'> | undefined) {
    this.#versions = versions;
  }

  of(version: string | undefined): string | undefined {
    if (version === undefined) return undefined;
    if (this.#last?.version !== version) {
      const digest = hash('sha256', this.#versions?.shared(version) ?? version, 'base64url');
      this.#last = { version, text: digest.slice(0, 22) };
    }
    return this.#last.text;
  }
}
