import ky, { type Options } from 'ky';

import { createAttempt } from './attempt.ts';
import { describeValue } from './describe-value.ts';
import { InvalidReplyError } from './errors/invalid-reply-error.ts';
import type { RequestOptions, Settings } from './options.ts';
import { retryPolicy } from './retry-policy.ts';
import { translateError } from './translate-error.ts';

/** One request to the service: a POST when it has a body. */
export interface ServiceRequest extends RequestOptions {
  /** Relative to the base URL. */
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Sends a request, repeating it where that helps, and gives the JSON value of the reply.
 *
 * @throws {DynamicQueryError} of every kind but `EndlessListError`, or the signal's reason.
 */
export type Transport = (request: ServiceRequest) => Promise<unknown>;

export function createTransport(settings: Settings): Transport {
  const client = ky.create({
    fetch: createAttempt(settings),
    redirect: 'manual',
    headers: { accept: 'application/json' },
    timeout: settings.timeoutMs,
    totalTimeout: settings.deadlineMs,
  });
  return async ({ path, body, signal }) => {
    signal?.throwIfAborted();
    const url = new URL(path, settings.baseUrl).href;
    const options: Options = { retry: retryPolicy(settings), signal: signal ?? null };
    const send = body === undefined ? client.get(url, options) : client.post(url, { ...options, json: body });
    const response = await send.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw translateError(error, url, settings);
    });
    return parseJson(await response.text(), response.headers.get('content-type'));
  };
}

function parseJson(text: string, contentType: string | null): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const got = `${text.length} characters of ${describeValue(contentType ?? undefined)} that are not`;
    throw new InvalidReplyError({ pointer: '', expected: 'a JSON text', got }, { cause });
  }
}
