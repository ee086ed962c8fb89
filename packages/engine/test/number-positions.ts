import type { LogPositions } from '../src/sources/log-position.ts';

/** Positions that are numbers, for tests that are about no database. */
export const NUMBERS: LogPositions = {
  parse: (text) => [text],
  covers: (reached, wanted) => Number(reached) >= Number(wanted),
  later: (one, other) => String(Math.max(Number(one), Number(other))),
  upTo: (wanted, end) => String(Math.min(Number(wanted), Number(end))),
};
