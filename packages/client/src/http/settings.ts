import { describeValue } from '../errors/describe-value.ts';
import { type ClientOptions, integerOption } from '../options/client-options.ts';
import { bearerToken, type BearerToken } from './bearer-token.ts';
import { CatalogueCheck } from './catalogue-check.ts';
import { KeptReplies } from './kept-replies.ts';
import { MethodChoice } from './query-method.ts';

export interface Settings {
  readonly baseUrl: URL;
  readonly token: BearerToken;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retries: number;
  readonly maxRetryAfterMs: number;
  readonly maxReplyBytes: number;
  readonly int64: 'string' | 'bigint';
  readonly monotonic: boolean;
  readonly methods: MethodChoice;
  /** Undefined where replies are not kept. */
  readonly kept: KeptReplies | undefined;
  readonly catalogue: CatalogueCheck;
}

/** Longest timer of the platforms. */
const LONGEST_MS = 2 ** 31 - 1;

/** @throws {TypeError | RangeError} when an option is out of its range. */
export function readSettings(options: ClientOptions): Settings {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    token: bearerToken(options.token),
    // Looked up at each call, so that later instrumentation of the global is used.
    fetch: options.fetch ?? (async (request) => globalThis.fetch(request)),
    timeoutMs: integerOption('timeoutMs', options.timeoutMs ?? 30_000, [1, LONGEST_MS]),
    deadlineMs: integerOption('deadlineMs', options.deadlineMs ?? 60_000, [1, LONGEST_MS]),
    retries: integerOption('retries', options.retries ?? 2, [0, 10]),
    maxRetryAfterMs: integerOption('maxRetryAfterMs', options.maxRetryAfterMs ?? 10_000, [
      0,
      LONGEST_MS,
    ]),
    maxReplyBytes: integerOption('maxReplyBytes', options.maxReplyBytes ?? 64 * 2 ** 20, [
      1,
      Number.MAX_SAFE_INTEGER,
    ]),
    int64: readInt64(options.int64),
    monotonic: readBoolean('monotonic', options.monotonic ?? true),
    methods: new MethodChoice(readMethod(options.method)),
    kept: readBoolean('revalidate', options.revalidate ?? false) ? new KeptReplies() : undefined,
    catalogue: new CatalogueCheck(readCatalogueTag(options.catalogueTag)),
  };
}

function readInt64(int64: ClientOptions['int64'] = 'string'): 'string' | 'bigint' {
  if (int64 === 'string' || int64 === 'bigint') return int64;
  throw new TypeError(`int64: expected "string" or "bigint"; got ${describeValue(int64)}`);
}

function readMethod(method: ClientOptions['method']): ClientOptions['method'] {
  if (method === undefined || method === 'query' || method === 'post') return method;
  throw new TypeError(`method: expected "query" or "post"; got ${describeValue(method)}`);
}

function readCatalogueTag(tag: ClientOptions['catalogueTag']): string | undefined {
  if (tag === undefined || (typeof tag === 'string' && tag !== '')) return tag;
  throw new TypeError(
    `catalogueTag: expected the text that "dq types" wrote; got ${describeValue(tag)}`,
  );
}

function readBoolean(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name}: expected true or false; got ${describeValue(value)}`);
}

/**
 * Ends in a slash, so that paths of the API keep a path prefix.
 *
 * @throws {TypeError} when it is not an absolute http or https URL, or holds credentials, a query
 *   or a fragment.
 */
export function readBaseUrl(baseUrl: string | URL): URL {
  const url = URL.parse(String(baseUrl));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'baseUrl: expected an absolute http or https URL, such as "https://data.example.com" ' +
        `or "https://example.com/prefix"; got ${describeValue(withoutCredentials(baseUrl))}`,
    );
  }
  if (url.username || url.password) {
    throw new TypeError(
      'baseUrl: expected a URL without a user name and password; pass the access token as `token`',
    );
  }
  if (url.search || url.hash) {
    throw new TypeError(
      'baseUrl: expected a URL without a query and a fragment, such as ' +
        `"${url.origin}${url.pathname}"`,
    );
  }
  url.pathname = url.pathname.replace(/\/*$/, '/');
  return url;
}

function withoutCredentials(baseUrl: string | URL): unknown {
  return typeof baseUrl === 'string' ? baseUrl.replace(/.*@/s, '…@') : baseUrl;
}
