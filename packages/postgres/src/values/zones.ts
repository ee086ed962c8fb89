import { Zones } from '@proj/engine/database';

export const { inZone, zonedHour, offsetText } = Zones.zonedInstants({
  // The second day of timestamps.
  first: Date.parse('-004713-11-25T00:00:00Z'),
  moment: (milliseconds) => `timestamptz '${textOf(milliseconds)}'`,
  compared: '@',
  offset: (seconds) => `interval '${seconds} s'`,
  local: (offset) => `@ at time zone ${offset}`,
  instant: (local, offset) => `${local} at time zone ${offset}`,
});

function textOf(milliseconds: number): string {
  // The last day of timestamps.
  if (milliseconds === Infinity) return '294276-12-31 00:00:00+00';
  const moment = { units: BigInt(milliseconds / 1000), scale: 0 };
  return Zones.printMoment(moment, '+00').replace('T', ' ');
}
