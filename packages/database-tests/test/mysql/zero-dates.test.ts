import { DATE_UNITS, type Filter } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

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

async function ids(engine: Engine, model: string, query_filter: Filter): Promise<unknown[]> {
  const query = { query_model: model, query_attributes: ['id'], query_filter };
  const body = { ...query, page: { page: 1, size: 10 } };
  const { result } = await engine.query(body, EVERYTHING);
  return (JSON.parse(result) as { id: number }[]).map(({ id }) => id);
}

describeMariadb('zero dates of MariaDB', () => {
  const mariadb = useMariadb(SQL);
  const opened = (): Promise<Engine> => open(mariadb().url);

  it('are not NULL in a column that takes NULL', async () => {
    const filter = { attribute: 'ended', op: 'is_null', value: true } as const;
    expect(await ids(await opened(), 'events', filter)).toEqual([2]);
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
      ]) {
        const name = `${attribute}.${by}`;
        const body = {
          query_model: 'odd',
          query_attributes: [name, 'n'],
          query_groups: [{ attribute, by }],
          query_aggregates: [{ name: 'n', op: 'count' }],
          page: { page: 1, size: 20 },
        };
        const { result } = await engine.query(body, EVERYTHING);
        const days = [null, first, ...NO_DAYS];
        const expected = days.map((day) => ({ [name]: day, n: '1' }));
        expect(new Set(JSON.parse(result) as unknown[])).toEqual(new Set(expected));
      }
    },
  );

  it.each(DATE_UNITS)('are one group where the %s is that of a time zone', async (by) => {
    const engine = await opened();
    for (const time_zone of [undefined, 'Etc/UTC', 'Europe/Paris', 'Asia/Kathmandu']) {
      const name = `stamp.${by}`;
      const body = {
        query_model: 'stamps',
        query_attributes: [name, 'n'],
        query_groups: [{ attribute: 'stamp', by, ...(time_zone && { time_zone }) }],
        query_aggregates: [{ name: 'n', op: 'count' }],
        page: { page: 1, size: 20 },
      };
      const { result } = await engine.query(body, EVERYTHING);
      const counts = (JSON.parse(result) as Record<string, string>[]).map((group) => [
        group[name]?.slice(0, 10) ?? null,
        group['n'],
      ]);
      expect(counts).toEqual([
        ['0000-00-00', '2'],
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
    const name = `stamp.${by}`;
    const body = {
      query_model: 'begun',
      query_attributes: [name, 'n'],
      query_groups: [{ attribute: 'stamp', by, time_zone }],
      query_aggregates: [{ name: 'n', op: 'count' }],
      page: { page: 1, size: 20 },
    };
    const engine = await opened();
    const { result } = await engine.query(body, EVERYTHING);
    const zero = by === 'day' ? '0000-00-00' : '0000-00-00 00:00:00';
    expect(JSON.parse(result)).toEqual([
      { [name]: zero, n: '1' },
      { [name]: first, n: '2' },
    ]);
  });
});
