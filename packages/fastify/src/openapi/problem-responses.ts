import { type ProblemCode, PROBLEMS } from '@proj/contract';

import { type HeaderName, headerRefs } from './headers.ts';
import { schemaRef } from './schemas.ts';

/** Besides those of all problems. */
const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept-Post', 'Accept-Query'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses before the caller, and so its limits, are known. */
const BEFORE_LIMITS: ReadonlySet<number> = new Set([401, 403, 405, 408, 431, 501, 505]);

export function problemResponses(
  codes: readonly ProblemCode[],
  access: 'token' | 'public',
): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const limits: HeaderName[] =
        access === 'token' && !BEFORE_LIMITS.has(status) ? ['RateLimit', 'RateLimit-Policy'] : [];
      return [String(status), response(group, [...(STATUS_HEADERS[status] ?? []), ...limits])];
    }),
  );
}

function response(codes: readonly ProblemCode[], headers: readonly HeaderName[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
    headers: headerRefs(['X-Request-Id', 'Cache-Control', ...headers]),
    content: { 'application/problem+json': { schema: schemaRef('Problem') } },
  };
}
