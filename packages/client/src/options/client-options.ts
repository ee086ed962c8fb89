import type { WireTypeOf } from './wire-type-of.ts';

/** What a token function is asked for. */
export interface TokenRequest {
  /**
   * Whether the service refused the token that the function returned before, so that a new one is
   * needed.
   */
  readonly refresh: boolean;
}

/**
 * The access token, or a function that returns it. The function is called before every attempt,
 * retries included, and should keep its token until that expires. When the service answers 401, it
 * is called once more, with `refresh`, and the request is repeated once; requests that are refused
 * at the same time share one renewal.
 */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/**
 * What `int64` has to be where the types of declared models say what their whole numbers of 64 bits
 * are.
 */
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
  /**
   * Where the service is: an absolute http or https URL, with a path prefix if it has one. A slash
   * at the end changes nothing. `api/v1/dynamic/…` is appended.
   */
  readonly baseUrl: string | URL;
  /**
   * The access token, without the word Bearer, or a function that returns it, called before every
   * attempt, and once more when the service answers 401. It is sent in the `Authorization` header
   * to `baseUrl` and nowhere else; redirects are not followed.
   */
  readonly token: TokenSource;
  /**
   * Sends the requests. Called with one `Request`; must honour its `redirect` and `signal`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * How long one attempt may take, from asking for the token to the last byte of the body: 1 to
   * 2^31 − 1 milliseconds. An attempt that times out is not repeated.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /**
   * How long all attempts of one request and the waits between them may take: 1 to 2^31 − 1
   * milliseconds. Each page is one request.
   *
   * @default 60_000
   */
  readonly deadlineMs?: number;
  /**
   * How often a failed attempt is repeated, 0 to 10. Repeated are network failures and the statuses
   * 408, 429, 502, 503 and 504, except the problem `query_timeout`: that query would be as slow
   * again. The query only reads, so a repetition changes nothing on the server.
   *
   * @default 2
   */
  readonly retries?: number;
  /**
   * The longest wait, in milliseconds, that a `Retry-After` of the server may impose. A server that
   * asks for more, or for more than remains of `deadlineMs`, gets no repetition: the problem is
   * thrown at once, with its `retryAfterMs`. Without `Retry-After` the waits are random, at most
   * 0.3 s before the first repetition, then 0.6 s, 1.2 s … up to 5 s.
   *
   * @default 10_000
   */
  readonly maxRetryAfterMs?: number;
  /**
   * The most bytes that a reply may have once it is unpacked, 1 to 2^53 − 1. A longer one is an
   * `InvalidReplyError`, and the rest of it is not read.
   *
   * @default 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  /**
   * What whole numbers of 64 bits become. With `bigint` the client reads a model from the catalogue
   * before the first records of it are delivered, to learn which attributes are `int64`; records
   * of arrays are included.
   *
   * @default 'string'
   */
  readonly int64?: 'string' | 'bigint';
  /**
   * Whether no page shows an older state of the data than an earlier page did, where replicas of
   * the database answer too. The client sends the positions of earlier replies in `Data-At-Least`.
   *
   * @default true
   */
  readonly monotonic?: boolean;
  /**
   * How queries are sent. `query`: by the method `QUERY` (RFC 10008) once a reply has announced it,
   * and by `POST` for ever after something on the way has refused a `QUERY`. `post`: always by
   * `POST`. In browsers a `QUERY` to another origin needs a preflight request.
   *
   * @default 'query', in browsers 'post'
   */
  readonly method?: 'query' | 'post';
  /**
   * Whether the last replies to `QUERY` are kept, up to 16 MiB. When a query is sent again, the
   * service then sends the page only if it has changed, so every page is current. For grids that
   * read the same pages again and again.
   *
   * @default false
   */
  readonly revalidate?: boolean;
  /**
   * The `catalogueTag` that `dq types` wrote beside the types of the models. One `console.warn` for
   * the client says when a reply follows another catalogue, so that the types may be out of date.
   *
   * @default nothing is compared
   */
  readonly catalogueTag?: string;
}
