import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
import { compareDates, type DateOrder, daySpan, shownAt, type Span } from '../mapping/dates.ts';
import type { Part } from '../mapping/filter-parts.ts';
import type { AgCondition, AgFilterParams } from './filter-model.ts';
import { blanksPass } from './scalar.ts';

const ORDERS: Readonly<Record<string, DateOrder>> = {
  equals: 'equals',
  lessThan: 'before',
  lessThanOrEqual: 'upTo',
  greaterThan: 'after',
  greaterThanOrEqual: 'from',
};

/** A condition of a date filter. */
export function dateFilter(
  mapped: Condition,
  condition: AgCondition,
  params: AgFilterParams,
): Part {
  const { type, dateFrom, dateTo } = condition;
  if (type === 'blank') return mapped.isNull();
  if (type === 'notBlank') return mapped.isNotNull();
  const withBlanks = blanksPass(mapped, String(type), params);
  if (type === 'notEqual')
    return withBlanks({ not: compareDates(mapped, 'equals', spanOf(mapped, dateFrom)) });
  if (type === 'inRange') return withBlanks(range(mapped, [dateFrom, dateTo], params));
  const order = ORDERS[String(type)];
  if (order === undefined)
    return mapped.refuse(
      'days that move with the calendar are not mapped',
      'a condition with a date',
    );
  return withBlanks(compareDates(mapped, order, spanOf(mapped, dateFrom)));
}

type DateText = string | null | undefined;

function range(
  mapped: Condition,
  [from, to]: readonly [DateText, DateText],
  { inRangeInclusive = false }: AgFilterParams,
): Filter {
  const [lower, upper] = inRangeInclusive
    ? (['from', 'upTo'] as const)
    : (['after', 'before'] as const);
  return {
    and: [
      compareDates(mapped, lower, spanOf(mapped, from)),
      compareDates(mapped, upper, spanOf(mapped, to)),
    ],
  };
}

/** `YYYY-MM-DD` is a day, `YYYY-MM-DD hh:mm:ss` a moment; both are of the reader's clock. */
const DATE = /^\d{4}-\d\d-\d\d(?:[ T](\d\d:\d\d:\d\d))?$/;

function spanOf(mapped: Condition, text: DateText): Span {
  const [, time] = DATE.exec(text ?? '') ?? [];
  const day = (text ?? '').slice(0, 10);
  const digits = new Date(`${day}T${time ?? '00:00:00'}Z`);
  if (Number.isNaN(digits.getTime()))
    mapped.refuse('its value is no date', 'YYYY-MM-DD, or YYYY-MM-DD hh:mm:ss');
  const start = shownAt(digits);
  return time === undefined ? daySpan(start) : { start, end: null };
}
