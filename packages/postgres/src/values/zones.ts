import { Zones } from '@proj/engine/database';
import { sql } from 'kysely';

export const { inZone, zonedHour, offsetText } = Zones.zonedInstants({
  // The second day of timestamps.
  first: Date.parse('-004713-11-25T00:00:00Z'),
  moment: (milliseconds) => sql.raw(`timestamptz '${textOf(milliseconds)}'`),
  compared: (instant) => instant,
  offset: (seconds) => sql.raw(`interval '${seconds} s'`),
  local: (instant, offset) => sql`${instant} at time zone ${offset}`,
  instant: (local, offset) => sql`${local} at time zone ${offset}`,
});

function textOf(milliseconds: number): string {
  // The last day of timestamps.
  if (milliseconds === Infinity) return '294276-12-31 00:00:00+00';
  const moment = { units: BigInt(milliseconds / 1000), scale: 0 };
  return Zones.printMoment(moment, '+00').replace('T', ' ');
}
