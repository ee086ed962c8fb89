import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
import { compareDates, momentAt } from '../mapping/dates.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';

type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

const NUMBERS = ['int32', 'int64', 'decimal', 'float64'];

/**
 * More or less than a number, as TanStack Table compares: NULL counts as 0, but never as equal to
 * it.
 */
export function isMore(mapped: Condition, op: Comparison, value: unknown): Part {
  checkNumber(mapped);
  const found = mapped.compare(op, value);
  const isAbove = 0 > Number(value);
  return isAbove === (op === 'gt' || op === 'gte') ? mapped.orNull(found) : found;
}

/** A range with ends that may be open; one whose ends are reversed has no upper one. */
export function betweenFilter(
  mapped: Condition,
  [from, to]: readonly [unknown, unknown],
  [lower, upper]: readonly [Comparison, Comparison],
): Part {
  checkNumber(mapped);
  const hasFrom = from !== '' && from !== undefined;
  const hasTo = to !== '' && to !== undefined && !(hasFrom && Number(from) > Number(to));
  return allOf([
    hasFrom ? isMore(mapped, lower, from) : null,
    hasTo ? isMore(mapped, upper, to) : null,
  ]);
}

/**
 * A range of numbers, both ends included. Ends that are no numbers are open, and NULL is outside.
 */
export function numberRange(mapped: Condition, [from, to]: readonly [unknown, unknown]): Part {
  checkNumber(mapped);
  const ends = [endOf(from, -Infinity), endOf(to, Infinity)] as const;
  return openRange(mapped, ends, [
    (least) => mapped.compare('gte', least),
    (most) => mapped.compare('lte', most),
  ]);
}

/** Ends that are reversed are put in order; an infinite one is open. */
function openRange<End>(
  mapped: Condition,
  ends: readonly [End, End],
  [lower, upper]: readonly [(end: End) => Filter, (end: End) => Filter],
): Part {
  const [from, to] = ends;
  const [least, most] = Number(from) > Number(to) ? [to, from] : [from, to];
  const parts = [
    Number(least) === -Infinity ? null : lower(least),
    Number(most) === Infinity ? null : upper(most),
  ];
  return allOf(parts) ?? mapped.isNotNull();
}

/** Digits that no number holds stay a text. */
function endOf(value: unknown, open: number): unknown {
  if (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value)))
    return value;
  const number = typeof value === 'number' ? value : Number.parseFloat(String(value));
  return Number.isNaN(number) ? open : number;
}

function checkNumber(mapped: Condition): void {
  if (!NUMBERS.includes(mapped.entry.type))
    mapped.refuse(
      `values of type ${mapped.entry.type} are no numbers`,
      'inDateRange for dates, and for texts a function that looks for a part of them',
    );
}

const DAY = 86_400_000;

/** A range of moments, both ends included; ends that are no dates are open, and NULL is outside. */
export function dateRange(mapped: Condition, [from, to]: readonly [unknown, unknown]): Part {
  const ends = [momentOf(from) ?? -Infinity, momentOf(to) ?? Infinity] as const;
  return openRange(mapped, ends, [
    (least) => isFrom(mapped, least),
    (most) => isUpTo(mapped, most),
  ]);
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
  return compareDates(mapped, 'gte', { start: momentAt(new Date(moment)), end: null });
}

/** Moments have milliseconds, and the service microseconds. */
function isUpTo(mapped: Condition, moment: number): Filter {
  if (mapped.entry.type === 'date') return mapped.compare('lte', dayText(moment));
  return compareDates(mapped, 'lt', { start: momentAt(new Date(moment + 1)), end: null });
}

function dayText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
