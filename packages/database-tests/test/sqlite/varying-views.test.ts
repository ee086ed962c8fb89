import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { exported } from '../exported.ts';
import { open } from '../open.ts';

const BASE = `
  create table numbers (id integer primary key, n int not null, at text not null);
  with recursive r (id) as (select 1 union all select id + 1 from r where id < 1000)
  insert into numbers select id, id % 7, '2026-01-01' from r;
  create view chances as select id, n, random() & 63 as chance from numbers where random() > 0 or id = 500;
  create view above as select id, n, chance from chances;`;

const VARYING = [
  'select id, random() as x from numbers',
  'select id from numbers where at < current_timestamp',
  `select id from numbers where at < datetime('now', '-1 day')`,
  'select id from numbers where at < date()',
  `select id, strftime('%Y') as y from numbers`,
  'select id from chances',
  'select id from numbers where id in (select id from above)',
];

const STEADY = [
  'select id from numbers',
  `select id, date(at) as d, strftime('%Y', at) as y from numbers`,
  'select n, count(*) as id from numbers group by n',
];

const VIEWS = [...VARYING, ...STEADY];

interface Numbered {
  readonly id: string;
  readonly chance: string;
}

const CHANCE = { attribute: 'chance', op: 'lt', value: 16 };

/** How many records a page has whose list has so many. */
function expected(total: string | null, before: number, size: number): number {
  return Math.max(0, Math.min(size, Number(total) - before));
}

describe('a reply of a view of SQLite that asks for chance', () => {
  let engine: Engine;
  beforeAll(async () => {
    const views = VIEWS.map((sql, index) => `create view v${index} as ${sql};`);
    const names = ['chances', 'above', ...VIEWS.map((_, index) => `v${index}`)];
    engine = await open(`sqlite:${databaseFile(BASE + views.join(''))}`, {
      models: {
        ...Object.fromEntries(names.map((name) => [name, { key: ['id'] }])),
        above: { key: ['id'], attributes: { chance: { type: 'int64' } } },
      },
    });
  });

  const read = async (page: object, members: object = {}) => {
    const attributes = { query_model: 'above', query_attributes: ['id', 'chance'] };
    const answer = await engine.query({ ...attributes, page, ...members }, EVERYTHING);
    const records = JSON.parse(answer.result) as Numbered[];
    return { records, page: answer.page, version: answer.version };
  };

  it('has as many records as its total says', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page, version } = await read({ page: 2, size: 250 });
      expect(records).toHaveLength(expected(page.total, 250, 250));
      expect(version).toBeUndefined();
    }
  });

  it('has as many records as its bounded total says, and is followed by a page where it says so', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page } = await read({ page: 2, size: 250 }, { query_total: { up_to: 900 } });
      expect(records).toHaveLength(expected(page.total, 250, 250));
      expect(page.has_next).toBe(Number(page.total) > 500);
    }
  });

  it.each([[undefined], ['none']])(
    'has the values that its filter asks for, with the total %s',
    async (query_total) => {
      const { records } = await read({ page: 1, size: 50 }, { query_total, query_filter: CHANCE });
      expect(records).toHaveLength(50);
      expect(records.filter(({ chance }) => Number(chance) >= 16)).toEqual([]);
    },
  );

  it('finds the page of a record in the list that it counts', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page } = await read({ containing: { id: '500' }, size: 20 });
      expect(records.map(({ id }) => id)).toContain('500');
      expect(records).toHaveLength(expected(page.total, (Number(page.page) - 1) * 20, 20));
    }
  });

  it('exports as many records as it promised, in their order', async () => {
    const query_filter = { attribute: 'chance', op: 'gte', value: 0 };
    for (const filter of [undefined, query_filter]) {
      const { records } = await exported(engine, { model: 'above', filter });
      const ids = records.map(({ id }) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
  });

  it('has facets of the same records', async () => {
    const everything = { attribute: 'id', op: 'gt', value: '0' };
    const facet = { attribute: 'n', values: 7 };
    const query_facets = [facet, { ...facet, query_filter: everything }];
    const { json } = await engine.facets({ query_model: 'chances', query_facets }, EVERYTHING);
    const { facets, total } = JSON.parse(json) as {
      facets: { values: { count: string }[] }[];
      total: string;
    };
    const counts = facets.map(({ values }) => values.reduce((sum, v) => sum + Number(v.count), 0));
    expect(counts).toEqual([Number(total), Number(total)]);
  });

  it.each(VARYING)('varies where the view is: %s', (sql) => {
    expect(engine.catalogue.get(`v${VIEWS.indexOf(sql)}`)?.varies).toBeDefined();
  });

  it.each(STEADY)('is the same throughout a snapshot where the view is: %s', (sql) => {
    expect(engine.catalogue.get(`v${VIEWS.indexOf(sql)}`)?.varies).toBeUndefined();
  });
});
