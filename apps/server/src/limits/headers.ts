import type { Standing } from './standing.ts';

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4). */
export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  if (standings.length === 0) return {};
  return {
    'ratelimit-policy': standings.map(policyItem).join(', '),
    ratelimit: standings.map(limitItem).join(', '),
  };
}

/**
 * `"requests-per-minute";q=100;w=60`. Rows are no unit of the draft's registry, and no caller
 * should take them for requests.
 */
function policyItem({ policy, limit, windowSeconds }: Standing): string {
  const unit = policy.unit === 'requests' ? '' : `;qu="${policy.unit}"`;
  return `"${policy.name}";q=${limit}${unit}${windowSeconds === undefined ? '' : `;w=${windowSeconds}`}`;
}

/** `"requests-per-minute";r=99;t=60` */
function limitItem({ policy, remaining, resetSeconds }: Standing): string {
  return `"${policy.name}";r=${remaining}${resetSeconds === undefined ? '' : `;t=${resetSeconds}`}`;
}
