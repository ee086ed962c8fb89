import { DATE_UNITS } from '@proj/contract';
import type { Engine } from '@proj/engine';
import { expect, it } from 'vitest';

import { idsOf, recordsOf } from '../lists.ts';
import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

interface Group {
  readonly attribute: string;
  readonly by: string;
  readonly time_zone?: string;
}

/** Days that no month has. */
const NO_DAYS = ['2024-02-31', '2023-04-31', '2024-01-00', '2024-00-10', '0000-00-00'] as const;

const SQL = `
  set sql_mode = 'ALLOW_INVALID_DATES';
  create table odd (id int primary key, day date, at datetime(6));
  insert into odd values (0, null, null), (1, '2024-02-29', '2024-02-29 12:30:00.5')
    ${NO_DAYS.map((day, index) => `, (${index + 2}, '${day}', '${day} 12:30:00.5')`).join('')};
  set sql_mode = '';
  create table events (id int primary key, day date not null, at datetime not null,
    stamp timestamp not null default 0, ended date, key (day), key (ended));
  insert into events values (1, 0, 0, 0, 0), (2, 0, 0, 0, null), (3, 0, '2026-01-31', 0, '2026-01-31');
  create table stamps (id int primary key, stamp timestamp null);
  insert into stamps values (1, 0), (2, 0), (3, null), (4, '2024-10-27 00:59:59');
  set time_zone = '+00:00';
  create table begun (id int primary key, stamp timestamp(6) null);
  insert into begun values (1, 0), (2, '1970-01-01 00:00:00.000001'), (3, '1970-01-01 00:00:01');`;

/** The groups by a part of time, with the number of records in each. */
async function countsBy(engine: Engine, query_model: string, group: Group): Promise<unknown[]> {
  const query_aggregates = [{ name: 'n', op: 'count' }];
  const records = await recordsOf(engine, { query_model, query_groups: [group], query_aggregates });
  return records.map((record) => [record[`${group.attribute}.${group.by}`], record['n']]);
}

describeMariadb('zero dates of MariaDB', () => {
  const mariadb = useMariadb(SQL);
  const opened = (): Promise<Engine> => open(mariadb().url);

  it('are not NULL in a column that takes NULL', async () => {
    const filter = { attribute: 'ended', op: 'is_null', value: true } as const;
    expect(await idsOf(await opened(), 'events', filter)).toEqual([2]);
  });

  it('leave the index to a filter for NULL', async () => {
    const plan = await mariadb().client('explain select id from events where ended <=> null');
    expect(plan).toMatch(/\tref\tended\tended\t/);
  });

  it.each(['day', 'at'])(
    'and days that no month has are groups of their own where %s is cut to a part of time',
    async (attribute) => {
      const engine = await opened();
      for (const [by, first] of [
        ['day', '2024-02-29'],
        ['week', '2024-02-26'],
        ['month', '2024-02-01'],
        ['quarter', '2024-01-01'],
        ['year', '2024-01-01'],
      ] as const) {
        const counts = await countsBy(engine, 'odd', { attribute, by });
        const expected = [null, first, ...NO_DAYS].map((day) => [day, '1']);
        expect(new Set(counts)).toEqual(new Set(expected));
      }
    },
  );

  it.each(DATE_UNITS)('are one group where the %s is that of a time zone', async (by) => {
    const engine = await opened();
    for (const time_zone of [undefined, 'Etc/UTC', 'Europe/Paris', 'Asia/Kathmandu']) {
      const group = { attribute: 'stamp', by, ...(time_zone && { time_zone }) };
      const counts = await countsBy(engine, 'stamps', group);
      expect(counts).toEqual([
        [expect.stringMatching(/^0000-00-00/), '2'],
        [expect.any(String), '1'],
        [null, '1'],
      ]);
    }
  });

  it.each([
    ['day', 'America/New_York', '1969-12-31'],
    ['day', 'Asia/Kathmandu', '1970-01-01'],
    ['hour', 'Asia/Kathmandu', '1970-01-01T05:00:00+05:30'],
  ])('are not the %s in which 1970 begins in %s', async (by, time_zone, first) => {
    const group = { attribute: 'stamp', by, time_zone };
    expect(await countsBy(await opened(), 'begun', group)).toEqual([
      [by === 'day' ? '0000-00-00' : '0000-00-00 00:00:00', '1'],
      [first, '2'],
    ]);
  });
});
