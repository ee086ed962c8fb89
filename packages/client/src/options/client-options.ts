import { describeValue } from '../errors/describe-value.ts';
import type { WireTypeOf } from './typed-paths.ts';

export interface TokenRequest {
  /** Whether the service refused the token that the function returned last. */
  readonly refresh: boolean;
}

/**
 * The access token, or a function that returns it, called before every attempt including retries:
 * cache the token until it expires. After a 401 the function is called once more, with `refresh`,
 * and the request retried once; concurrent requests share one renewal.
 */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** What `int64` must be where declared models fix how 64-bit integers are read. */
export type Int64Of<Models> = [Int64In<Models>] extends [never]
  ? unknown
  : [Int64In<Models>] extends ['string']
    ? { readonly int64?: 'string' }
    : { readonly int64: [Int64In<Models>] extends ['bigint'] ? 'bigint' : never };

type Int64In<Models> = {
  [Model in keyof Models]: {
    [Name in keyof Models[Model]]: FormOf<Models[Model][Name], WireTypeOf<Models[Model], Name>>;
  }[keyof Models[Model] & string];
}[keyof Models];

type FormOf<Value, Type> = Value extends bigint | readonly (bigint | null)[]
  ? 'bigint'
  : Value extends string
    ? [Type] extends ['int64']
      ? 'string'
      : never
    : never;

/** What {@link createClient} takes. */
export interface ClientOptions {
  /** Absolute http or https URL, with any path prefix; `api/v1/dynamic/…` is appended. */
  readonly baseUrl: string | URL;
  /** Without the word Bearer. Sent in `Authorization` to `baseUrl` only, never to redirects. */
  readonly token: TokenSource;
  /** Must honour `redirect` and `signal` of its one `Request`. @default globalThis.fetch */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * How long one attempt may take, from asking for the token to the last byte: 1 to 2^31 − 1
   * milliseconds. A timed out attempt is not retried.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /**
   * How long all attempts of one request (each page is one) and their waits may take: 1 to 2^31 − 1
   * milliseconds.
   *
   * @default 60_000
   */
  readonly deadlineMs?: number;
  /**
   * How often a failed attempt is retried, 0 to 10: after network failures and the statuses 408,
   * 429, 502, 503 and 504, except the problem `query_timeout`, which would be as slow again.
   *
   * @default 2
   */
  readonly retries?: number;
  /**
   * The longest `Retry-After`, in milliseconds, to wait for. A longer one, or one past
   * `deadlineMs`, throws the problem at once, with its `retryAfterMs`. Without `Retry-After` waits
   * are random, up to 0.3 s before the first retry, then 0.6 s, 1.2 s … up to 5 s.
   *
   * @default 10_000
   */
  readonly maxRetryAfterMs?: number;
  /**
   * The most unpacked bytes of a reply, 1 to 2^53 − 1. Reading a longer one stops with an
   * `InvalidReplyError`.
   *
   * @default 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  /**
   * What 64-bit integers become. With `bigint` the client first reads the model from the catalogue
   * to learn which attributes are `int64`, also in records of arrays.
   *
   * @default 'string'
   */
  readonly int64?: 'string' | 'bigint';
  /**
   * Whether no page shows older data than an earlier page, even when replicas answer. The client
   * sends the positions of earlier replies in `Data-At-Least`.
   *
   * @default true
   */
  readonly monotonic?: boolean;
  /**
   * `query` sends queries by the method `QUERY` (RFC 10008) once a reply has announced it, until a
   * proxy refuses one; `post` always by `POST`. In browsers a cross-origin `QUERY` needs a
   * preflight request.
   *
   * @default 'query', in browsers 'post'
   */
  readonly method?: 'query' | 'post';
  /**
   * Keeps the last replies to `QUERY`, up to 16 MiB, and asks the service whether they are current,
   * which then sends only changed pages. For grids that reread the same pages.
   *
   * @default false
   */
  readonly revalidate?: boolean;
  /**
   * The `catalogueTag` that `dq types` wrote. Warns once per client (`console.warn`) when a reply
   * follows another catalogue, so that the types may be out of date.
   *
   * @default nothing is compared
   */
  readonly catalogueTag?: string;
}

export interface RequestOptions {
  /** Cancels the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws {RangeError} that names the option, when it is out of its limits. */
export function integerOption(
  name: string,
  value: number,
  [minimum, maximum]: readonly [number, number],
): number {
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new RangeError(
    `${name}: expected a whole number from ${minimum} to ${maximum}; got ${describeValue(value)}`,
  );
}
