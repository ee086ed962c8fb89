import { hash } from 'node:crypto';

import type { DataVersionSource } from '../../sources/source.ts';

/**
 * How callers see the version of the data: opaque, since a source's own may show how busy it
 * is, which callers need not know.
 */
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
