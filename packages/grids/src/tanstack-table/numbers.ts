import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
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
  const ends = [endOf(from, -Infinity), endOf(to, Infinity)];
  const [least, most] = ends.toSorted((a, b) => Number(a) - Number(b));
  const parts: Filter[] = [];
  if (Number(least) !== -Infinity) parts.push(mapped.compare('gte', least));
  if (Number(most) !== Infinity) parts.push(mapped.compare('lte', most));
  return parts.length === 0 ? mapped.isNotNull() : allOf(parts);
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
