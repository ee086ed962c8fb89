/** The method by which queries are sent. */
export type QueryMethod = 'POST' | 'QUERY';

/** A list of media types in which JSON is one (RFC 10008 §3). */
const NAMES_JSON = /(?:^|,)\s*"?application\/json"?\s*(?:[;,]|$)/i;

/** What a proxy answers to a method that it does not know. The service's own 405 means the same. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 405, 501]);

/**
 * Chooses the method of queries: `QUERY` (RFC 10008) once a reply of the service has announced it,
 * `POST` before that, and `POST` for ever after a proxy on the way has refused a `QUERY`.
 */
export class MethodChoice {
  #mayQuery: boolean;
  #isTaken = false;

  /** @param wanted the option of the client */
  constructor(wanted: 'query' | 'post' | undefined) {
    this.#mayQuery = wanted === undefined ? !isBrowser() : wanted === 'query';
  }

  get current(): QueryMethod {
    return this.#mayQuery && this.#isTaken ? 'QUERY' : 'POST';
  }

  /** Notes what a reply to `POST` says. */
  noteReply({ headers }: Response): void {
    this.#isTaken ||= NAMES_JSON.test(headers.get('accept-query') ?? '');
  }

  giveUpQuery(): void {
    this.#mayQuery = false;
  }
}

/** Whether a reply to `QUERY` may come from something on the way that does not know the method. */
export function refusesMethod({ status, headers }: Response): boolean {
  if (!REFUSALS.has(status)) return false;
  return (
    status === 405 || headers.get('content-type')?.startsWith('application/problem+json') !== true
  );
}

/**
 * In a browser a `QUERY` to another origin needs a preflight request, so `POST` is the default
 * there.
 */
function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}
