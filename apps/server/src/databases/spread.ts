import type { SeenElsewhere } from '@proj/engine';

import type { Spread } from '../settings/engine-settings.ts';

/** What a database's engine shares with other processes. */
export function spreadOf(database: string | undefined, spread: Spread): Spread {
  const { seenElsewhere: seen } = spread;
  return seen === undefined || database === undefined
    ? spread
    : { ...spread, seenElsewhere: seenIn(database, seen) };
}

/** Each of several databases has a log of its own, with positions of its own. */
function callerOf(database: string, caller: string): string {
  return JSON.stringify([database, caller]);
}

/** Inverse of {@link callerOf}; undefined for other texts. */
export function partsOfCaller(text: string): readonly [string, string] | undefined {
  const parts: unknown = JSON.parse(text);
  if (!Array.isArray(parts)) return undefined;
  const [database, caller]: unknown[] = parts;
  return typeof database === 'string' && typeof caller === 'string'
    ? [database, caller]
    : undefined;
}

function seenIn(database: string, seen: SeenElsewhere): SeenElsewhere {
  return {
    of: (caller) => seen.of(callerOf(database, caller)),
    ...(seen.note && {
      note: async (caller, position) => seen.note?.(callerOf(database, caller), position),
    }),
  };
}
