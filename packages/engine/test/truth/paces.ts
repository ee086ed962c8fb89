import { beforeRelease } from '@proj/test-servers';

import type { Pace } from './writers.ts';

/** Nobody writes for long enough that every mechanism sets in, again and again. */
export const IN_BURSTS: Pace = { name: 'in bursts', burst: 6, restMs: 500 };

/** Each from here on is for all writers together. */
const ONCE_A_SECOND: Pace = { name: 'once a second', burst: 1, restMs: 1000 };
export const HUNDREDFOLD: Pace = { name: 'a hundred times a second', burst: 1, restMs: 10 };
export const FULL_SPEED: Pace = { name: 'at full speed', burst: 1, restMs: 0 };

/** When others write, and for how long. */
export interface TimedPace {
  readonly pace: Pace;
  readonly seconds: number;
}

/** Every pace of the ordinary run: with pauses and without, and before a release also between. */
export function everyPace(seconds: number): TimedPace[] {
  const between = beforeRelease ? [ONCE_A_SECOND, HUNDREDFOLD] : [];
  return [IN_BURSTS, ...between, FULL_SPEED].map((pace) => ({ pace, seconds }));
}

/**
 * The paces that a text asks for: `1000:600,10:60` is 1,000 transactions a second for 600 seconds,
 * then ten a second for 60. Writers that cannot keep up write at full speed.
 *
 * @throws {RangeError} when it is none of that
 */
export function readPaces(text: string): TimedPace[] {
  return text.split(',').map((part) => {
    const [, rate, seconds] = /^(\d+):(\d+)$/.exec(part) ?? [];
    const perSecond = Number(rate);
    if (!(perSecond > 0)) throw new RangeError(`"${part}" is not a rate and seconds: 100:60.`);
    const pace = { name: `${perSecond} times a second`, burst: 1, restMs: 1000 / perSecond };
    return { pace, seconds: Number(seconds) };
  });
}
