import type { DeprecationSettings } from '@proj/engine';

/** The earliest `Deprecation` (RFC 9745) and `Sunset` (RFC 8594); the catalogue says of what. */
export function deprecationHeaders(
  deprecations: readonly DeprecationSettings[],
): Record<string, string> {
  if (deprecations.length === 0) return {};
  const [since] = deprecations.map((deprecation) => deprecation.since).toSorted();
  const [sunset] = deprecations.flatMap((deprecation) => deprecation.sunset ?? []).toSorted();
  return {
    ...(since !== undefined && { deprecation: `@${Date.parse(since) / 1000}` }),
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}
