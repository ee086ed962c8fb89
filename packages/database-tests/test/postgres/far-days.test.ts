import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { bodyOf } from '../databases/everywhere.ts';
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

  async function ids(filter: object): Promise<number[]> {
    const { result } = await engine.query(bodyOf({ model: 'moments', filter }), EVERYTHING);
    return (JSON.parse(result) as { id: number }[]).map(({ id }) => id);
  }

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
});
