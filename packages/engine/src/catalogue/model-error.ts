/** An error in the settings of one model; `path` leads from the model to the place. */
export interface ModelError {
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Something that the settings ask for and the database does not have, and what the operator can do.
 */
export interface CatalogueReport {
  readonly model: string;
  /** The place in the `ExposeSettings`, from the outermost member. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
  /** Whether the settings asked for the model by name, which makes the report an error. */
  readonly listed: boolean;
}
