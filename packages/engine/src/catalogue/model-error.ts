/** `path` leads from the model to the setting. */
export interface ModelError {
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
}

/** What the settings ask for and the database lacks, with a remedy. */
export interface CatalogueReport {
  readonly model: string;
  /** The place in the `ExposeSettings`. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
  /** Asked for by name, so the report is an error. */
  readonly listed: boolean;
}
