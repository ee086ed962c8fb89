import type { Filter } from '@proj/client';

import type { Condition } from './condition.ts';

/** How a grid compares dates. */
export type DateOrder = 'equals' | 'before' | 'upTo' | 'from' | 'after';

/** The moments that a grid's value stands for: from one up to another, which is not among them. */
export interface Span {
  readonly start: Date;
  /** `null`: the one moment alone. */
  readonly end: Date | null;
}

/** The day, in the reader's zone, that begins at a moment. */
export function daySpan(start: Date): Span {
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { start, end };
}

/** Compares an attribute of a date, or of a date and time, with what a grid's value stands for. */
export function compareDates(condition: Condition, order: DateOrder, span: Span): Filter {
  const start = wireTextOf(condition, span.start);
  const isPoint = span.end === null || condition.entry.type === 'date';
  if (isPoint) return condition.compare(POINT[order], start);
  const end = wireTextOf(condition, span.end ?? span.start);
  const from = condition.compare('gte', start);
  const before = condition.compare('lt', end);
  switch (order) {
    case 'equals':
      return { and: [from, before] };
    case 'before':
      return condition.compare('lt', start);
    case 'upTo':
      return before;
    case 'from':
      return from;
    case 'after':
      return condition.compare('gte', end);
  }
}

const POINT = { equals: 'eq', before: 'lt', upTo: 'lte', from: 'gte', after: 'gt' } as const;

/**
 * A moment as values of the attribute travel: days, and times without a zone, are those of the
 * reader's clock.
 */
function wireTextOf(condition: Condition, moment: Date): string {
  switch (condition.entry.type) {
    case 'date':
      if (moment.getHours() + moment.getMinutes() + moment.getSeconds() > 0)
        condition.refuse('the attribute has days alone, and the value a time', 'a day');
      return localText(moment).slice(0, 10);
    case 'timestamp':
      return localText(moment);
    case 'timestamp_tz':
      return moment.toISOString();
    default:
      return condition.refuse(
        `an attribute of type ${condition.entry.type} has no days`,
        'a filter of the grid that goes with the type',
      );
  }
}

function localText(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().replace(/(\.000)?Z$/, '');
}
