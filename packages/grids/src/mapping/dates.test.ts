import type { AttributeEntry, Filter } from '@proj/client';
import { afterAll, expect, it } from 'vitest';

import { dateFilter as agDates } from '../ag-grid/filter.ts';
import { dateFilter as muiDates } from '../mui-x/filter.ts';
import { Condition } from './condition.ts';

const ZONE = process.env['TZ'];
afterAll(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
});

type DateType = 'date' | 'timestamp' | 'timestamp_tz';

function condition(type: DateType): Condition {
  const entry: AttributeEntry = {
    name: 'at',
    type,
    nullable: true,
    description: null,
    operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'on'],
    sortable: true,
  };
  return new Condition(entry, 'equals', { grid: 'a grid', caseSensitive: true });
}

/** The values that a filter compares with. */
function valuesOf(filter: Filter | null): unknown[] {
  const text = JSON.stringify(filter);
  return [...text.matchAll(/"(?:value|time_zone)":"([^"]*)"/g)].map(([, value]) => value);
}

const agEquals = (type: DateType, dateFrom: string) =>
  valuesOf(agDates(condition(type), { filterType: 'date', type: 'equals', dateFrom }, {}));

const muiIs = (type: DateType, value: Date, isDay = true) =>
  valuesOf(muiDates(condition(type), { operator: 'is', value, isDay }));

it.each([
  ['Europe/Paris', '1910-05-05'],
  ['Africa/Cairo', '2024-04-26'],
  ['America/New_York', '0050-01-01'],
  ['Pacific/Apia', '2011-12-30'],
  ['UTC', '2024-02-29'],
])('in %s the day %s of a column is that day', (zone, day) => {
  process.env['TZ'] = zone;
  expect(agEquals('date', day)).toEqual([day]);
  expect(muiIs('date', new Date(`${day}T00:00:00Z`))).toEqual([day]);
  expect(agEquals('timestamp', day)).toEqual([day]);
  expect(muiIs('timestamp', new Date(`${day}T00:00:00Z`))).toEqual([day]);
});

it.each([
  ['Europe/Paris', '1910-05-05', '1910-05-04T23:50:39.000Z', '1910-05-05T23:50:39.000Z'],
  ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z', '2024-04-26T21:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
])('in %s the day %s of a column of instants is that of the reader', (zone, day, from, to) => {
  process.env['TZ'] = zone;
  expect(agEquals('timestamp_tz', day)).toEqual([day, zone]);
  expect(muiIs('timestamp_tz', new Date(`${day}T00:00:00Z`))).toEqual([day, zone]);
  const bound = (type: string): unknown[] =>
    valuesOf(agDates(condition('timestamp_tz'), { filterType: 'date', type, dateFrom: day }, {}));
  expect([...bound('greaterThanOrEqual'), ...bound('greaterThan')]).toEqual([from, to]);
});

it('a minute is that of the reader, to the second, in a zone whose offset had seconds', () => {
  process.env['TZ'] = 'Europe/Paris';
  const noon = new Date('1910-05-05T11:50:39Z');
  expect(agEquals('timestamp', '1910-05-05 12:00:00')).toEqual(['1910-05-05T12:00:00']);
  expect(muiIs('timestamp', noon, false)).toEqual(['1910-05-05T12:00:00', '1910-05-05T12:01:00']);
  expect(muiIs('timestamp_tz', noon, false)).toEqual([
    '1910-05-05T11:50:39.000Z',
    '1910-05-05T11:51:39.000Z',
  ]);
});

it('the hour that a clock shows twice is two hours for instants', () => {
  process.env['TZ'] = 'America/New_York';
  const second = new Date('2026-11-01T06:30:00Z');
  expect(muiIs('timestamp_tz', second, false)).toEqual([
    '2026-11-01T06:30:00.000Z',
    '2026-11-01T06:31:00.000Z',
  ]);
});
