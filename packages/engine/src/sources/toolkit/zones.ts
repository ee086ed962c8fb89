export { printMoment } from '../../calendar.ts';
export { type TimeZone, zoneNamed } from '../../planning/zones/time-zone.ts';
export { byPeriod, inZones, YEARS_BY_KIND, type ZonePeriod } from '../../sql/clauses/zone-tree.ts';
export { zonedInstants } from '../../sql/clauses/zoned-instants.ts';
