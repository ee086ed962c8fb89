import { randomInt } from 'node:crypto';

/**
 * A port that is likely to be free, below those from which systems connect: a client could meet
 * itself there.
 */
export function anyPort(): number {
  return randomInt(20_000, 32_000);
}
