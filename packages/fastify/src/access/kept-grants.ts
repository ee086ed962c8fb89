import type { Grant } from '@proj/engine';

const MOST_BYTES = 16 * 2 ** 20;
const GRANT_BYTES = 3000;
/** A grant of 2,000 models takes 250 kB. */
const MODEL_BYTES = 130;

/** Drops the grants that are kept once they are too large: a role may have thousands of models. */
export class KeptGrants {
  readonly #drop: () => void;
  #bytes = 0;

  /** @param drop drops those that are kept */
  constructor(drop: () => void) {
    this.#drop = drop;
  }

  /** Before it is kept, with `keyBytes` of what it is kept by. */
  count({ models }: Grant, keyBytes = 0): void {
    const added = GRANT_BYTES + keyBytes + (models === 'all' ? 0 : models.size * MODEL_BYTES);
    this.#bytes += added;
    if (this.#bytes <= MOST_BYTES) return;
    this.#drop();
    this.#bytes = added;
  }
}
