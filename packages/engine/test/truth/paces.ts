import type { Pace } from './writers.ts';

/** Nobody writes for long enough that every mechanism sets in, again and again. */
export const IN_BURSTS: Pace = { name: 'in bursts', burst: 6, restMs: 500 };

/** Each from here on is for all writers together. */
export const ONCE_A_SECOND: Pace = { name: 'once a second', burst: 1, restMs: 1000 };
export const HUNDREDFOLD: Pace = { name: 'a hundred times a second', burst: 1, restMs: 10 };
export const FULL_SPEED: Pace = { name: 'at full speed', burst: 1, restMs: 0 };
