import type { Attribute } from '../catalogue/model.ts';
import type { Condition } from './condition.ts';
import { readDate } from './date-text.ts';
import type { Span, TimeZone } from './time-zone.ts';

const DAY = 24 * 3600 * 1000;

/** Whether a moment is within a day. */
export interface PlannedDay {
  readonly attribute: Attribute;
  /** A date as filters take it. */
  readonly day: string;
  /** Whose day it is, for instants. Default: UTC. */
  readonly zone?: TimeZone | undefined;
}

/** A day as `on` takes it: one that the calendar has, also where a column holds others. */
export function readDay(value: unknown, { extremes }: Attribute): string | undefined {
  return readDate(
    value,
    extremes.filter((extreme) => typeof extreme === 'object'),
  );
}

/** The condition in terms of other operators. */
export function planDay({ attribute, day, zone }: PlannedDay): Condition {
  if (attribute.type === 'date') return { attribute, op: 'eq', values: [day] };
  const midnight = midnightOf(day);
  const spans = zone?.spansOfDay(midnight) ?? [{ from: midnight, before: midnight + DAY }];
  // A day that a zone skipped has no moment, and NULL is on no day nor on none.
  const found = spans.length > 0 ? spans : [{ from: midnight, before: midnight }];
  const or = found.map((span) => within(span, attribute));
  return or.length === 1 && or[0] !== undefined ? or[0] : { or };
}

/** A bound that the column cannot hold leaves nothing out. */
function within({ from, before }: Span, attribute: Attribute): Condition {
  const bounds = [
    { attribute, op: 'gte', moment: from },
    { attribute, op: 'lt', moment: before },
  ] as const;
  return {
    and: bounds.flatMap(({ op, moment }) => {
      const year = new Date(moment).getUTCFullYear();
      const holds = isFar(attribute) || (year >= 1 && year <= 9999);
      return holds ? [{ attribute, op, values: [momentText(moment, attribute)] }] : [];
    }),
  };
}

function isFar({ extremes }: Attribute): boolean {
  return extremes.some((extreme) => typeof extreme === 'object');
}

function midnightOf(day: string): number {
  const [, year = '', month = '', date = '', era] = /^(\d+)-(\d+)-(\d+)( BC)?$/.exec(day) ?? [];
  const midnight = new Date(0);
  const number = era === undefined ? Number(year) : 1 - Number(year);
  midnight.setUTCFullYear(number, Number(month) - 1, Number(date));
  return midnight.getTime();
}

function momentText(moment: number, { type }: Attribute): string {
  const date = new Date(moment);
  const year = date.getUTCFullYear();
  const digits = String(year > 0 ? year : 1 - year).padStart(4, '0');
  const rest = /-\d\d-\d\dT.{8}/.exec(date.toISOString())?.[0] ?? '';
  const zone = type === 'timestamp_tz' ? 'Z' : '';
  return `${digits}${rest}${zone}${year > 0 ? '' : ' BC'}`;
}
