/** Names the catalogue as the token sees it. */
export const CATALOGUE_TAG = 'catalogue-tag';

/** Warns once when a reply follows another catalogue than the types of the models. */
export class CatalogueCheck {
  readonly #tag: string;
  #hasWarned = false;

  /** @param tag of the catalogue from which the types were made */
  constructor(tag: string) {
    this.#tag = tag;
  }

  /** An older service sends no such header. */
  compare(headers: Headers): void {
    const tag = headers.get(CATALOGUE_TAG);
    if (tag === null || tag === this.#tag || this.#hasWarned) return;
    this.#hasWarned = true;
    console.warn(
      'The types of the models are of another catalogue. Write them anew with "dq types".',
    );
  }
}
