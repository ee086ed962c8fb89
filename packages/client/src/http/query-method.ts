export type QueryMethod = 'POST' | 'QUERY';

/** `Accept-Query` that lists JSON (RFC 10008 §3). */
const NAMES_JSON = /(?:^|,)\s*"?application\/json"?\s*(?:[;,]|$)/i;

/** What a proxy answers to an unknown method. The service's own 405 means the same. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 405, 501]);

/** `QUERY` (RFC 10008) once a reply has announced it, until a proxy refuses one; else `POST`. */
export class MethodChoice {
  #mayQuery: boolean;
  #isTaken = false;

  constructor(wanted: 'query' | 'post' | undefined) {
    this.#mayQuery = wanted === undefined ? !isBrowser() : wanted === 'query';
  }

  get current(): QueryMethod {
    return this.#mayQuery && this.#isTaken ? 'QUERY' : 'POST';
  }

  /** Takes a reply to `POST`. */
  noteReply({ headers }: Response): void {
    this.#isTaken ||= NAMES_JSON.test(headers.get('accept-query') ?? '');
  }

  giveUpQuery(): void {
    this.#mayQuery = false;
  }
}

/** Whether a proxy that does not know `QUERY` may have sent this reply. */
export function refusesMethod({ status, headers }: Response): boolean {
  if (!REFUSALS.has(status)) return false;
  return (
    status === 405 || headers.get('content-type')?.startsWith('application/problem+json') !== true
  );
}

/** In a browser a `QUERY` to another origin needs a preflight request, so `POST` is the default. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}
