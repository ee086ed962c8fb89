import ky, { type Options } from 'ky';

import { describeValue } from '../errors/describe-value.ts';
import { parseJson } from './body.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { createAttempt, type SendSettings } from './attempt.ts';
import { retryPolicy } from './retry-policy.ts';
import type { Settings } from './settings.ts';
import { translateError } from './translate-error.ts';

/** A POST when it has a body. */
export interface ServiceRequest extends RequestOptions {
  /** Relative to the base URL. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceReply {
  readonly body: unknown;
  readonly headers: Headers;
}

/** @throws {DynamicQueryError} of the kinds that one request has, or the signal's reason */
export type Transport = (request: ServiceRequest) => Promise<ServiceReply>;

export function createTransport(settings: Settings): Transport {
  const request = createRequest(settings);
  return async (asked) => {
    const response = await request(asked);
    const { headers } = response;
    const type = `of ${describeValue(headers.get('content-type') ?? undefined)} `;
    return { body: parseJson(await response.text(), { type }), headers };
  };
}

/** As {@link Transport}, leaving the body to be read. */
export type StreamTransport = (request: ServiceRequest) => Promise<Response>;

export function createStreamTransport(settings: Settings): StreamTransport {
  return createRequest({ ...settings, streams: true });
}

function createRequest(settings: SendSettings): StreamTransport {
  const client = ky.create({
    redirect: 'manual',
    headers: { accept: 'application/json' },
    stringifyJson: (value) => JSON.stringify(value, wireValue),
    timeout: settings.timeoutMs,
    totalTimeout: settings.deadlineMs,
  });
  return async ({ path, body, headers: added = {}, signal }) => {
    signal?.throwIfAborted();
    const url = new URL(path, settings.baseUrl).href;
    const options: Options = {
      fetch: createAttempt(settings),
      retry: retryPolicy(settings),
      signal: signal ?? null,
      headers: { ...added },
    };
    const send =
      body === undefined ? client.get(url, options) : client.post(url, { ...options, json: body });
    const response = await send.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw translateError(error, url, settings);
    });
    settings.catalogue.compare(response.headers);
    return response;
  };
}

/** What JSON has no number for travels as a string. */
function wireValue(_name: string, value: unknown): unknown {
  const isSpecial = typeof value === 'number' && !Number.isFinite(value);
  return isSpecial || typeof value === 'bigint' ? String(value) : value;
}
