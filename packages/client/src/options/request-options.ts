export interface RequestOptions {
  /** Cancels the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
