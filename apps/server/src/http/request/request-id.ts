import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The caller's `X-Request-Id` where it is short and plain enough for a log, or a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given)
    ? given
    : newRequestId();
}

export function newRequestId(): string {
  return randomUUID();
}
