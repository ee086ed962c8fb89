/** Names the catalogue as the token sees it. */
export const CATALOGUE_TAG = 'catalogue-tag';

/** Compares the catalogues that replies name, with each other and with that of the types. */
export class CatalogueCheck {
  readonly #typed: string | undefined;
  #last: string | null = null;
  #changes = 0;
  #hasWarned = false;

  /** @param typed names the catalogue from which the types of the models were made */
  constructor(typed: string | undefined) {
    this.#typed = typed;
  }

  /** How often a reply has named another catalogue than the one before it. */
  get changes(): number {
    return this.#changes;
  }

  /** Warns once where it is not the catalogue of the types. An older service names none. */
  compare(headers: Headers): void {
    const tag = headers.get(CATALOGUE_TAG);
    if (tag === null) return;
    if (tag !== this.#last) this.#changes += 1;
    this.#last = tag;
    if (this.#typed === undefined || tag === this.#typed || this.#hasWarned) return;
    this.#hasWarned = true;
    console.warn(
      'The types of the models are of another catalogue. Write them anew with "dq types".',
    );
  }
}
