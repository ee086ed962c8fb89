import { beforeRelease } from '@proj/test-servers';

import type { Pace } from './writers.ts';

/** Nobody writes for long enough that every mechanism sets in, again and again. */
export const IN_BURSTS: Pace = { name: 'in bursts', burst: 6, rest: 150 };

const NOW_AND_THEN: Pace = { name: 'now and then', burst: 1, rest: 500 };
export const OFTEN: Pace = { name: 'often', burst: 1, rest: 10 };
export const FULL_SPEED: Pace = { name: 'at full speed', burst: 1, rest: 0 };

/** When others write, and for how many requests. */
export interface MeasuredPace {
  readonly pace: Pace;
  readonly requests: number;
}

/** Every pace of the ordinary run: with pauses and without, and before a release also between. */
export function everyPace(requests: number): MeasuredPace[] {
  const between = beforeRelease ? [NOW_AND_THEN, OFTEN] : [];
  return [IN_BURSTS, ...between, FULL_SPEED].map((pace) => ({ pace, requests }));
}

/**
 * The paces that a text asks for: `1:600000,100:60000` is a transaction for each of 600,000
 * requests, then one for every hundred of 60,000. Writers that cannot keep up write at full speed.
 *
 * @throws {RangeError} when it is none of that
 */
export function readPaces(text: string): MeasuredPace[] {
  return text.split(',').map((part) => {
    const [, rest, requests] = /^(\d+):(\d+)$/.exec(part) ?? [];
    if (requests === undefined)
      throw new RangeError(`"${part}" is not how many requests each, and in all: 10:6000.`);
    const pace = { name: `once in ${rest} requests`, burst: 1, rest: Number(rest) };
    return { pace, requests: Number(requests) };
  });
}
