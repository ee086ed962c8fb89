import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import { compareDates, momentAt } from '../mapping/dates.ts';

const DAY = 86_400_000;

/** A range of moments, both ends included; ends that are no dates are open, and NULL is outside. */
export function dateRange(mapped: Condition, [from, to]: readonly [unknown, unknown]): Part {
  const ends = [momentOf(from) ?? -Infinity, momentOf(to) ?? Infinity];
  const [least = -Infinity, most = Infinity] = ends.toSorted((a, b) => a - b);
  const parts: Filter[] = [];
  if (least !== -Infinity) parts.push(isFrom(mapped, least));
  if (most !== Infinity) parts.push(isUpTo(mapped, most));
  return parts.length === 0 ? mapped.isNotNull() : allOf(parts);
}

/** As TanStack Table reads dates: a text of a day alone is its beginning in UTC. */
function momentOf(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string' && !(value instanceof Date))
    return null;
  const moment = typeof value === 'number' ? value : new Date(value).getTime();
  return Number.isNaN(moment) ? null : moment;
}

/** A day begins in UTC, as a text of a day alone is read. */
function isFrom(mapped: Condition, moment: number): Filter {
  if (mapped.entry.type === 'date')
    return mapped.compare('gte', dayText(Math.ceil(moment / DAY) * DAY));
  return compareDates(mapped, 'from', { start: momentAt(new Date(moment)), end: null });
}

/** Moments have milliseconds, and the service microseconds. */
function isUpTo(mapped: Condition, moment: number): Filter {
  if (mapped.entry.type === 'date') return mapped.compare('lte', dayText(moment));
  return compareDates(mapped, 'before', { start: momentAt(new Date(moment + 1)), end: null });
}

function dayText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
