import { expect, it } from 'vitest';

import { COUNT } from '../group-names.ts';
import { localInUtc } from './local-moment.ts';

const MOMENT = { ...COUNT, type: 'timestamp_tz' } as const;

it.each([
  ['1880-05-05T10:00:00+00:09:21', '1880-05-05T09:50:39Z'],
  ['1880-05-05T10:00:00.25-00:09:21', '1880-05-05T10:09:21.25Z'],
  ['12024-12-31T23:59:59-15:59:59', '12025-01-01T15:59:58Z'],
  ['0044-03-15T00:00:10+00:00:30 BC', '0044-03-14T23:59:40Z BC'],
])('a moment with seconds in its offset, %s, is %s in UTC', (value, inUtc) => {
  expect(localInUtc(value, MOMENT)).toBe(inUtc);
  expect(localInUtc(value, { ...MOMENT, zone: 'Asia/Tokyo' })).toBe(inUtc);
});

it('has a year 0 in SQLite alone', () => {
  const value = '0000-03-15T12:00:00+00:00:30';
  expect(localInUtc(value, { ...MOMENT, storedAs: 'text' })).toBe('0000-03-15T11:59:30Z');
  expect(localInUtc(value, MOMENT)).toBe(value);
});

it.each([
  ['Europe/Paris', '2024-03-31T10:00:00+02:00', '2024-03-31T08:00:00Z'],
  ['Europe/Paris', '2024-07-01T02:00:00+09:00', '2024-06-30T17:00:00Z'],
  ['Europe/Paris', '2024-03-31T04:00:00+01:00', '2024-03-31T03:00:00Z'],
  ['Europe/Paris', '2024-03-31T02:00:00+02:00', '2024-03-31T00:00:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:00:00+11:00', '2024-10-05T15:30:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:29:00+11:00', '2024-10-05T15:30:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:00:00+10:30', '2024-10-05T15:30:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:10:00+11:10', '2024-10-05T15:00:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T01:30:00+11:00', '2024-10-05T14:30:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:30:00+11:00', '2024-10-05T15:30:00Z'],
])('in %s the hour %s begins at %s', (zone, value, begins) => {
  expect(localInUtc(value, { ...MOMENT, zone })).toBe(begins);
});

it.each([
  '2024-01-01T10:00:00+02:00',
  '2023-02-29T10:00:00+00:09:21',
  '2024-01-01T24:00:00+00:09:21',
  '2024-01-01T10:00:60+00:09:21',
  '2024-01-01T10:00:00.1234567+00:09:21',
  '2024-01-01T10:00:00+16:00:01',
  '2024-01-01T10:00:00+01:60:00',
  'on 2024-01-01T10:00:00+00:09:21',
  '2024-01-01T10:00:00+00:09:21 BCE',
  'yesterday',
  20240101,
])('%j stays as it is', (value) => {
  expect(localInUtc(value, MOMENT)).toBe(value);
});
