import { Zones } from '@proj/engine/database';

import { ownMoment } from './types.ts';

/** The last day of DuckDB's moments. */
const LAST = 9_223_371_158_400_000;

export const { inZone, zonedHour, offsetText } = Zones.zonedInstants({
  // The second day of moments that JavaScript has.
  first: Date.parse('-271820-01-02T00:00:00Z'),
  moment: (milliseconds) => {
    const seconds = { units: BigInt(Math.min(milliseconds, LAST) / 1000), scale: 0 };
    return `timestamp '${ownMoment(Zones.printMoment(seconds, ''))}'`;
  },
  compared: '@::timestamp',
  offset: String,
  local: (offset) => `(@::timestamp + to_seconds(${offset}))`,
  instant: (local, offset) => `(${local} - to_seconds(${offset}))`,
});
