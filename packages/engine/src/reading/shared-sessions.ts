import type { SessionStatistics } from './cache-stats.ts';

/** What callers who read as roles of the database share. */
export interface SharedSessions {
  /** For how many different values of the settings of each role something is kept at the moment. */
  readonly kept: readonly { readonly role: string; readonly values: number }[];
  readonly uses: readonly SessionStatistics[];
}

/** What keeps something for sessions of callers. */
interface KeepsSessions {
  /** What its mechanisms did. */
  readonly sessions: readonly SessionStatistics[];
  /** For which values of each role it keeps something. */
  readonly keptSessions: ReadonlyMap<string, readonly string[]>;
}

/**
 * What several chains keep and did together.
 *
 * @param roles those of which something may be kept
 */
export function sharedSessions(
  chains: readonly KeepsSessions[],
  roles: readonly string[],
): SharedSessions {
  const kept = [...new Set(roles)].map((role) => {
    const values = chains.flatMap(({ keptSessions }) => keptSessions.get(role) ?? []);
    return { role, values: new Set(values).size };
  });
  const byName = Map.groupBy(
    chains.flatMap(({ sessions }) => sessions),
    ({ mechanism, role }) => JSON.stringify([mechanism, role]),
  );
  return { kept, uses: [...byName.values()].flatMap(together) };
}

function together(uses: readonly SessionStatistics[]): SessionStatistics[] {
  const [first] = uses;
  if (first === undefined) return [];
  const sum = (figure: 'hitsOfOwn' | 'hitsOfOthers' | 'misses'): number =>
    uses.reduce((total, use) => total + use[figure], 0);
  const { mechanism, role } = first;
  return [
    {
      mechanism,
      role,
      hitsOfOwn: sum('hitsOfOwn'),
      hitsOfOthers: sum('hitsOfOthers'),
      misses: sum('misses'),
    },
  ];
}
