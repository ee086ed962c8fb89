import { DynamicQueryError } from './dynamic-query-error.ts';

/**
 * No complete reply arrived after all retries: the name did not resolve, the connection was refused
 * or broke, or CORS withheld the reply. The `cause` is the error of `fetch`.
 */
export class NetworkError extends DynamicQueryError {
  override readonly name = 'NetworkError';
  readonly url: string;

  constructor(url: string, options: { readonly cause: unknown }) {
    super(`${url}: expected a reply; got none: ${reasonOf(options.cause)}`, options);
    this.url = url;
  }
}

/** The innermost cause says more than the "fetch failed" around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'fetch failed';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
