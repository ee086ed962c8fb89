import { createRequire } from 'node:module';

import autocannon from 'autocannon';

import { Latencies } from './latencies.ts';

/** What one connection sends once. */
export interface Message {
  readonly body: string;
  /** Where it differs from that of the load. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests that are sent as fast as they are answered. */
export interface Load {
  readonly url: string;
  /** Default: POST. */
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For each connection what it sends, in turn. */
  readonly messages: readonly (readonly Message[])[];
  /** Whether a connection ends after its last message, instead of beginning anew. */
  readonly isOnce?: boolean;
  readonly seconds: number;
  /** Where set, exactly so many requests are sent, however long they take. */
  readonly amount?: number | undefined;
}

/** What came back. */
export interface Outcome {
  /** Good replies. */
  readonly answered: number;
  readonly seconds: number;
  /** Of each good reply. */
  readonly latencies: Latencies;
  /** Replies with another status than 2xx or 3xx. */
  readonly refused: number;
  /** Requests without a reply. */
  readonly failed: number;
}

/** A request that takes longer counts as failed, in seconds. */
const REQUEST_TIMEOUT = 300;

/** How often autocannon looks whether it should stop, in milliseconds. */
const LOOK_MS = 10;

// It sends the methods of its own list only, which is older than RFC 10008.
const methods = createRequire(import.meta.url)('autocannon/lib/httpMethods') as string[];
methods.push('QUERY');

export async function runLoad(load: Load): Promise<Outcome> {
  const { url, method = 'POST', headers, messages, isOnce = false, seconds, amount } = load;
  const latencies = new Latencies();
  let dealt = 0;
  let refused = 0;
  let started = performance.now();
  let ended = started;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    url,
    connections: messages.length,
    sampleInt: LOOK_MS,
    timeout: REQUEST_TIMEOUT,
    duration: seconds,
    ...(amount !== undefined && { amount }),
    ...(isOnce && { maxConnectionRequests: Math.min(...messages.map((share) => share.length)) }),
    setupClient: (client) => {
      const share = messages[dealt++ % messages.length] ?? [];
      const named = method as 'POST';
      client.setRequests(
        share.map(({ body, headers: own }) => {
          return { method: named, headers: { ...headers, ...own }, body };
        }),
      );
    },
  };
  const instance = autocannon(options, (error: Error | null, result) =>
    error === null ? resolve(result) : reject(error),
  );
  instance.on('start', () => (started = performance.now()));
  // oxlint-disable-next-line max-params -- the signature is autocannon's
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    ended = performance.now();
    if (status >= 200 && status < 400) latencies.record(milliseconds);
    else refused++;
  });
  const { errors } = await promise;
  const answered = latencies.total;
  if (answered + refused === 0) ended = performance.now();
  return { answered, seconds: (ended - started) / 1000, latencies, refused, failed: errors };
}
