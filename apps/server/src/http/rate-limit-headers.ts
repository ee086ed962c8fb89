import type { RateLimitState } from '../limits/counts/rate-limit-state.ts';

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4). */
export function rateLimitHeaders(rateLimits: readonly RateLimitState[]): Record<string, string> {
  if (rateLimits.length === 0) return {};
  return {
    'ratelimit-policy': rateLimits.map(policyItem).join(', '),
    ratelimit: rateLimits.map(limitItem).join(', '),
  };
}

/** `"requests-per-minute";q=100;w=60`. Names `rows`, lest callers take them for requests. */
function policyItem({ policy, limit, windowSeconds }: RateLimitState): string {
  const unit = policy.unit === 'requests' ? '' : `;qu="${policy.unit}"`;
  const window = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  return `"${policy.name}";q=${limit}${unit}${window}`;
}

/** `"requests-per-minute";r=99;t=60` */
function limitItem({ policy, remaining, resetSeconds }: RateLimitState): string {
  return `"${policy.name}";r=${remaining}${resetSeconds === undefined ? '' : `;t=${resetSeconds}`}`;
}
