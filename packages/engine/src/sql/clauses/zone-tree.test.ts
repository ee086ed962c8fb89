import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { RULED_YEARS, zoneNamed } from '../../planning/zones/time-zone.ts';
import { byPeriod, type ZonedColumn } from './zone-tree.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const BEHIND = Date.UTC(RULED_YEARS.last + 1);

/** Moments are numbers. */
const ZONED: ZonedColumn = {
  column: 't.moment',
  first: Date.UTC(1500),
  last: BEHIND + 300 * 365 * DAY,
  moment: String,
  of: ({ offset, from }) => `${offset} || ' from ' || ${from ?? "'full hour'"}`,
};

const database = new DatabaseSync(':memory:');

function textOf(zone: string, zoned: ZonedColumn = ZONED): string {
  return byPeriod(zoneNamed(zone), zoned);
}

function offsetsOf(zone: string, zoned: ZonedColumn, moments: readonly number[]): string[] {
  const statement = database.prepare(
    `select ${textOf(zone, zoned)} as "found" from (select cast(? as integer) as "moment") as "t"`,
  );
  return moments.map((at) => String(statement.get(at)?.['found']));
}

/** What a zone has at a moment, and when that began where it was within an hour. */
function expectedOf(name: string, at: number): string {
  const zone = zoneNamed(name);
  const { from = 0, offset = 0 } = zone.periods.findLast((one) => one.from <= at) ?? {};
  const isFull = from === -Infinity || (from + offset) % HOUR === 0;
  return `${offset / 1000} from ${isFull ? 'full hour' : from}`;
}

const ZONES = [
  'Europe/Paris',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'America/St_Johns',
  'UTC',
];

it('finds the period of a moment, and UTC before and from days beyond the column’s', () => {
  const { first, last } = ZONED;
  const moments = fc.integer({ min: Date.UTC(1800), max: BEHIND - 1 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.array(moments, { minLength: 20 }), (zone, some) => {
      const changes = zoneNamed(zone).periods.flatMap(({ from }) => [from - 1, from]);
      const all = [...some, ...changes].filter((at) => at >= first && at < last);
      expect(offsetsOf(zone, ZONED, all)).toEqual(all.map((at) => expectedOf(zone, at)));
      const outside = [first - 1, last, last + DAY];
      const utc = outside.map(() => '0 from full hour');
      expect(offsetsOf(zone, ZONED, outside)).toEqual(utc);
    }),
    { numRuns: 10 },
  );
});

it('finds no period that ends before the column’s first day, and none that begins after its last', () => {
  const zoned = { ...ZONED, first: Date.UTC(1950), last: Date.UTC(1970) };
  const moments = [zoned.first, Date.UTC(1960), zoned.last - 1];
  const [before, after] = [zoned.first - 1, zoned.last];
  const utc = '0 from full hour';
  for (const zone of ZONES)
    expect(offsetsOf(zone, zoned, [before, ...moments, after])).toEqual([
      utc,
      ...moments.map((at) => expectedOf(zone, at)),
      utc,
    ]);
});

it('begins with the period of the first day alone, which may begin with it', () => {
  const [first, last] = [Date.UTC(2016, 2, 27, 1), Date.UTC(2016, 6)];
  const zoned = { ...ZONED, first, last };
  expect(offsetsOf('Europe/Paris', zoned, [first - 1, first, last])).toEqual(
    [0, 7200, 0].map((offset) => `${offset} from full hour`),
  );
  expect(textOf('Europe/Paris', zoned).split('case')).toHaveLength(3);
});

it('finds the period of a later year by the ruled one of its kind', () => {
  const shift = 28 * 365.25 * DAY;
  const zoned: ZonedColumn = {
    ...ZONED,
    ruled: {
      at: 'ruled.at',
      table: `(select t.moment - ${shift} as at) as ruled`,
      back: (moment) => `(t.moment - ruled.at + ${moment})`,
    },
  };
  const moments = Array.from({ length: 28 * 12 }, (_, month) => BEHIND + month * 30.4 * DAY);
  const found = (zone: string) =>
    offsetsOf(zone, zoned, moments).map((text) => text.split(' from '));
  for (const zone of ZONES) {
    const offsets = moments.map((at) => String(zoneNamed(zone).offsetAt(at) / 1000));
    expect(found(zone).map(([offset]) => offset)).toEqual(offsets);
  }
  const begun = new Set(found('Australia/Lord_Howe').map(([, from]) => from));
  expect([...begun].filter((from) => from !== 'full hour').map(Number)).toEqual(
    zoneNamed('Australia/Lord_Howe')
      .periods.filter(({ from, offset }) => (from + offset) % HOUR !== 0)
      .flatMap(({ from }) => (from + shift > BEHIND ? from + shift : [])),
  );
});

it('finds a later year where its ruled one comes from no table, and looks for none without rules', () => {
  const ruled = {
    at: `(t.moment - ${28 * 365.25 * DAY})`,
    back: (moment: string) => `(${moment} + ${28 * 365.25 * DAY})`,
  };
  const moments = [BEHIND + 40 * DAY, BEHIND + 200 * DAY];
  const offsets = moments.map((at) => zoneNamed('Europe/Paris').offsetAt(at) / 1000);
  expect(offsetsOf('Europe/Paris', { ...ZONED, ruled }, moments)).toEqual(
    offsets.map((offset) => `${offset} from full hour`),
  );
  expect(textOf('UTC', { ...ZONED, ruled })).toBe(textOf('UTC'));
});

it('finds moments of usual years by two comparisons and those within', () => {
  const text = textOf('Europe/Paris');
  const depthOf = (year: number): number => {
    const first = zoneNamed('Europe/Paris').periods.find(({ from }) => from >= Date.UTC(year));
    const before = text.slice(0, text.indexOf(`< ${first?.from} then`));
    return before.split('case').length - before.split(' end').length;
  };
  expect([2016, 2032].map(depthOf)).toEqual([1, 2]);
  expect(text).toContain(`case when t.moment < ${Date.UTC(2016, 2, 27, 1)} then`);
});
