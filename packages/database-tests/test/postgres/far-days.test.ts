import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

describe('days that PostgreSQL has beyond those of others', () => {
  const postgres = usePostgres(`
    create table moments (id int primary key, local timestamp, at timestamptz);
    insert into moments select n, t::timestamp, t::timestamp at time zone 'UTC' from (values
      (1, '4714-11-24 00:00 BC'), (2, '0001-12-31 23:00 BC'), (3, '0001-01-01 00:00'), (4, '9999-12-31 23:59:59.999999'),
      (5, '10000-01-01 00:00'), (6, '275760-09-13 00:00'), (7, '280000-02-29 12:00'), (8, '294276-12-31 23:59:59.999999'),
      (9, 'infinity'), (10, '-infinity'), (11, null)) as v(n, t);`);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url);
  });

  const ids = (filter: object): Promise<unknown[]> => idsOf(engine, 'moments', filter);

  it.each([
    ['4714-11-24 BC', [1]],
    ['0001-12-31 BC', [2]],
    ['9999-12-31', [4]],
    ['275760-09-12', []],
    ['275760-09-13', [6]],
    ['280000-02-29', [7]],
    ['294276-12-31', [8]],
  ])('have the moments of %s, and none of the others', async (value, found) => {
    const others = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((id) => !found.includes(id));
    for (const attribute of ['local', 'at']) {
      const on = { attribute, op: 'on', value };
      expect(await ids(on), `on ${attribute}`).toEqual(found);
      expect(await ids({ not: on }), `not on ${attribute}`).toEqual(others);
    }
  });

  it.each([
    ['4714-11-24 BC', 'Asia/Tokyo', [1]],
    ['0001-12-31 BC', 'America/New_York', [2, 3]],
    ['275760-09-12', 'America/New_York', [6]],
    ['280000-02-29', 'Asia/Tokyo', [7]],
    ['294276-12-31', 'America/New_York', [8]],
    // There is no day behind the last.
    ['294276-12-31', 'Asia/Tokyo', [8]],
  ])('begin and end on %s as in %s', async (value, time_zone, found) => {
    expect(await ids({ attribute: 'at', op: 'on', value, time_zone })).toEqual(found);
  });

  it.each([
    ['America/New_York', '0001-12-31 BC'],
    ['Asia/Tokyo', '0001-01-01'],
  ])('are the groups of a day in %s, with infinities and NULL', async (time_zone, second) => {
    const days = await groups('day', time_zone);
    const values = days.map((day) => day['at.day']);
    expect(values).toContain(second);
    expect(values.slice(0, 2)).toEqual(['-infinity', '4714-11-24 BC']);
    expect(values.slice(-3)).toEqual(['294276-12-31', 'infinity', null]);
    for (const { n, ...day } of days) {
      const value = day['at.day'];
      if (typeof value !== 'string' || value.endsWith('infinity')) continue;
      expect(await ids({ attribute: 'at', op: 'on', value, time_zone })).toHaveLength(Number(n));
    }
  });

  it('are the groups of an hour, which a filter of groups finds by what they show', async () => {
    const hours = await groups('hour', 'Europe/Paris');
    expect(hours.map((hour) => hour['at.hour'])).toEqual([
      '-infinity',
      '4714-11-24T00:00:00+00:00 BC',
      '0001-12-31T23:00:00+00:09:21 BC',
      '0001-01-01T00:00:00+00:09:21',
      '10000-01-01T00:00:00+01:00',
      '10000-01-01T01:00:00+01:00',
      '275760-09-13T02:00:00+02:00',
      '280000-02-29T13:00:00+01:00',
      '294276-12-31T23:00:00+00:00',
      'infinity',
      null,
    ]);
    for (const hour of hours.slice(2, -4)) {
      const filter = { attribute: 'at.hour', op: 'eq', value: hour['at.hour'] };
      expect(await groups('hour', 'Europe/Paris', filter)).toEqual([hour]);
    }
  });

  async function groups(
    by: string,
    time_zone: string,
    query_group_filter?: object,
  ): Promise<Record<string, unknown>[]> {
    const body = {
      query_model: 'moments',
      query_attributes: [`at.${by}`, 'n'],
      query_groups: [{ attribute: 'at', by, time_zone }],
      query_aggregates: [{ name: 'n', op: 'count' }],
      ...(query_group_filter && { query_group_filter }),
      page: { page: 1, size: 50 },
    };
    const { result } = await engine.query(body, EVERYTHING);
    return JSON.parse(result) as Record<string, unknown>[];
  }
});
