/** What every request takes. */
export interface RequestOptions {
  /** Gives the request up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
