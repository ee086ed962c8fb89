import { randomUUID } from 'node:crypto';

/** The caller's `X-Request-Id` if short and plain enough for a log, or a new one. */
export function requestId(given: unknown): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given)
    ? given
    : randomUUID();
}
