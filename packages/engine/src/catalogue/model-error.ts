/** An error in the settings of one model; `path` leads from the model to the place. */
export interface ModelError {
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
}
