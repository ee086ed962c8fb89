import type { TokenLimits } from '../settings/rate-limits.ts';
import type { Counting } from './counting.ts';
import { REQUESTS, ROWS } from './policies.ts';
import { type Charge, type Reading, type Standing, windowStanding } from './standing.ts';

/** Where a token stands; undefined for a limit that it does not have. */
export interface TokenStandings {
  readonly requests: Standing | undefined;
  /** It is not allowed once the quota is used up. */
  readonly rows: Standing | undefined;
}

/** Takes one request of a token and looks at its quota of rows. */
export async function takeRequest(
  token: string,
  limits: TokenLimits,
  counting: Counting,
): Promise<TokenStandings> {
  const requests = chargeOf(REQUESTS, token, limits.requests_per_minute, {
    cost: 1,
    always: false,
  });
  const rows = chargeOf(ROWS, token, limits.rows_per_day, { cost: 0, always: false });
  const charges = [requests, rows].filter((charge) => charge !== undefined);
  const standings = await count(charges, counting);
  const standingOf = (wanted: Charge | undefined): Standing | undefined =>
    standings.find((_standing, index) => charges[index] === wanted);
  return { requests: standingOf(requests), rows: standingOf(rows) };
}

/** Counts rows that were read. */
export async function countRows(
  token: string,
  rows: number,
  limits: TokenLimits,
  counting: Counting,
): Promise<Standing | undefined> {
  const charge = chargeOf(ROWS, token, limits.rows_per_day, { cost: rows, always: true });
  const [standing] = charge === undefined ? [] : await count([charge], counting);
  return standing;
}

function chargeOf(
  policy: Charge['policy'],
  owner: string,
  limit: TokenLimits['rows_per_day'],
  how: Pick<Charge, 'cost' | 'always'>,
): Charge | undefined {
  return limit === 'unlimited' ? undefined : { policy, owner, limit, ...how };
}

/**
 * What passes must pass here too, after Redis: this process then never lets more through than the
 * limit, whenever Redis fails or comes back.
 */
async function count(charges: readonly Charge[], { local, shared }: Counting): Promise<Standing[]> {
  const readings = charges.length === 0 ? undefined : await shared?.charge(charges);
  return charges.map((charge, index) => {
    const theirs = readings?.[index];
    const refused = theirs?.allowed === false && !charge.always;
    const own = local.charge(refused ? { ...charge, cost: 0 } : charge);
    return windowStanding(charge, theirs === undefined ? own : tighter(theirs, own));
  });
}

function tighter(one: Reading, other: Reading): Reading {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  return one.used > other.used ? one : other;
}
