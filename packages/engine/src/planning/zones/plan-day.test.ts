import { expect, it } from 'vitest';

import type { Attribute } from '../../catalogue/model.ts';
import { COUNT } from '../group-names.ts';
import { planDay, readCalendarDay } from './plan-day.ts';
import { TimeZone } from './time-zone.ts';

const FAR = { first: [-4713, 11, 24], last: [294_276, 12, 31] } as const;
const LOCAL: Attribute = { ...COUNT, type: 'timestamp' };
const MOMENT: Attribute = { ...COUNT, type: 'timestamp_tz' };
const OF_POSTGRES: Attribute = { ...MOMENT, extremes: ['infinity', FAR] };
const OF_SQLITE: Attribute = { ...MOMENT, storedAs: 'text' };

it.each<[Attribute, string, string, string[]]>([
  [LOCAL, 'UTC', '2024-02-29', ['gte 2024-02-29T00:00:00', 'lt 2024-03-01T00:00:00']],
  [LOCAL, 'UTC', '9999-12-31', ['gte 9999-12-31T00:00:00', 'lte 9999-12-31T23:59:59.999999']],
  [MOMENT, 'UTC', '2024-02-29', ['gte 2024-02-29T00:00:00Z', 'lt 2024-03-01T00:00:00Z']],
  [MOMENT, 'Europe/Paris', '2024-03-31', ['gte 2024-03-30T23:00:00Z', 'lt 2024-03-31T22:00:00Z']],
  [
    MOMENT,
    'America/St_Johns',
    '1999-10-31',
    [
      'gte 1999-10-31T02:30:00Z',
      'lt 1999-10-31T02:31:00Z',
      'gte 1999-10-31T03:30:00Z',
      'lt 1999-11-01T03:30:00Z',
    ],
  ],
  [MOMENT, 'Pacific/Apia', '2011-12-30', ['gte 2011-12-30T00:00:00Z', 'lt 2011-12-30T00:00:00Z']],
  [MOMENT, 'Asia/Tokyo', '0001-01-01', ['gte 0001-01-01T00:00:00Z', 'lt 0001-01-02T00:00:00Z']],
  [MOMENT, 'Asia/Tokyo', '0001-01-02', ['gte 0001-01-02T00:00:00Z', 'lt 0001-01-02T14:41:01Z']],
  [
    MOMENT,
    'America/New_York',
    '0001-01-02',
    ['gte 0001-01-02T04:56:02Z', 'lt 0001-01-03T04:56:02Z'],
  ],
  [
    MOMENT,
    'America/New_York',
    '9999-12-30',
    ['gte 9999-12-30T05:00:00Z', 'lt 9999-12-31T00:00:00Z'],
  ],
  [
    MOMENT,
    'America/New_York',
    '9999-12-31',
    ['gte 9999-12-31T00:00:00Z', 'lte 9999-12-31T23:59:59.999999Z'],
  ],
  [OF_SQLITE, 'UTC', '0000-01-01', ['gte 0000-01-01T00:00:00Z', 'lt 0000-01-02T00:00:00Z']],
  [
    OF_SQLITE,
    'UTC',
    '9999-12-31',
    ['gte 9999-12-31T00:00:00Z', 'lte 9999-12-31T23:59:59.999999999Z'],
  ],
  [OF_POSTGRES, 'UTC', '0001-12-31 BC', ['gte 0001-12-31T00:00:00Z BC', 'lt 0001-01-01T00:00:00Z']],
  [OF_POSTGRES, 'UTC', '9999-12-31', ['gte 9999-12-31T00:00:00Z', 'lt 10000-01-01T00:00:00Z']],
])('of %o in %s, the moments of %s are %s', (attribute, zone, day, bounds) => {
  const { or, and = [] } = planDay(attribute, day, TimeZone.named(zone)) as Tree;
  const leaves = or?.flatMap(({ and: both = [] }) => both) ?? and;
  expect(leaves.map(({ op, values }) => `${op} ${values.join()}`)).toEqual(bounds);
  expect(or === undefined).toBe(bounds.length === 2);
  expect(leaves.every((leaf) => leaf.attribute === attribute)).toBe(true);
});

interface Tree {
  readonly or?: readonly Tree[];
  readonly and?: readonly (Tree & { readonly op: string; readonly values: readonly string[] })[];
  readonly attribute?: Attribute;
}

it('a date is equal to its day, whatever zone is named', () => {
  const attribute: Attribute = { ...COUNT, type: 'date' };
  const leaf = { attribute, op: 'eq', values: ['2024-02-29'] };
  expect(planDay(attribute, '2024-02-29')).toEqual(leaf);
  expect(planDay(attribute, '2024-02-29', TimeZone.named('Asia/Tokyo'))).toEqual(leaf);
  expect(planDay(LOCAL, '2024-02-29')).toEqual(planDay(LOCAL, '2024-02-29', TimeZone.named('UTC')));
});

it('is a day of the calendar, as far as the column has days', () => {
  const days = ['2024-02-29', '10000-01-01', 'infinity', '2023-02-29'];
  const readBy = (attribute: Attribute) => days.map((day) => readCalendarDay(day, attribute));
  expect(readBy(OF_POSTGRES)).toEqual(['2024-02-29', '10000-01-01', undefined, undefined]);
  expect(readBy(MOMENT)).toEqual(['2024-02-29', undefined, undefined, undefined]);
});
