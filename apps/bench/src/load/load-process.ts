import { createRequire } from 'node:module';

import autocannon from 'autocannon';

import { Latencies } from './latencies.ts';
import type { Load, LoadResult } from './load.ts';
import { answerParent } from '../processes/child.ts';

/** A request that takes longer counts as failed, in seconds. */
const REQUEST_TIMEOUT = 300;

/** How often autocannon looks whether it should stop, in milliseconds. */
const LOOK_MS = 10;

// It sends the methods of its own list only, which is older than RFC 10008.
const methods = createRequire(import.meta.url)('autocannon/lib/httpMethods') as string[];
methods.push('QUERY');

answerParent('ready', (load) => runLoad(load as Load));

async function runLoad({
  url,
  method = 'POST',
  headers,
  bodies,
  authorizations,
  again,
  seconds,
  amount,
}: Load): Promise<LoadResult> {
  const latencies = new Latencies();
  let dealt = 0;
  let refused = 0;
  let started = performance.now();
  let ended = started;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    url,
    connections: bodies.length,
    sampleInt: LOOK_MS,
    timeout: REQUEST_TIMEOUT,
    duration: seconds,
    ...(amount !== undefined && { amount }),
    ...(!again && { maxConnectionRequests: Math.min(...bodies.map((share) => share.length)) }),
    setupClient: (client) => {
      const share = dealt++ % bodies.length;
      const named = method as 'POST';
      const requests = (bodies[share] ?? []).map((body, index) => {
        const authorization = authorizations?.[share]?.[index];
        const own = authorization === undefined ? {} : { authorization };
        return { method: named, headers: { ...headers, ...own }, body };
      });
      client.setRequests(requests);
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
  if (latencies.total + refused === 0) ended = performance.now();
  return {
    answered: latencies.total,
    seconds: (ended - started) / 1000,
    counts: latencies.counts,
    refused,
    failed: errors,
  };
}
