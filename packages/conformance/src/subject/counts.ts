import { demand } from '../demand.ts';
import type { JsonObject } from './json-object.ts';

/**
 * A count of a reply.
 *
 * @throws {Violation} unless it is a string of digits.
 */
export function countOf(part: JsonObject, name = 'count'): bigint {
  const digits = part[name];
  demand(
    typeof digits === 'string' && /^\d+$/.test(digits),
    `${name}: expected a string of digits; got ${JSON.stringify(digits)}`,
  );
  return BigInt(digits);
}

/** All counts together. */
export function sumOf(counts: readonly bigint[]): bigint {
  return counts.reduce((sum, count) => sum + count, 0n);
}
