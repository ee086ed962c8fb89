import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { describeMariadb, nameOf, useMariadb } from './mariadb.ts';

const baseOf = (name: string): string => `
  create table numbers (
    id int primary key, n int not null, label enum('z', 'a') not null, day date not null
  );
  insert into numbers select seq, seq % 7, if(seq % 2, 'z', 'a'), '2026-01-01' from seq_1_to_1000;
  create table drawn (id int primary key, luck double as (rand()) virtual);
  create function chance() returns double return rand();
  create function one() returns int deterministic return 1;
  create view chances as
    select id, n, label, day, rand() as luck from numbers where rand() < 0.5 or id = 500;
  create view above as select id, n, label, day, luck from chances;
  create database elsewhere;
  create view elsewhere.chances as select id from ${name}.chances;`;

const VARYING = [
  'select id, uuid() as x from numbers',
  "select id, 1 as `it's`, rand() as `that's` from numbers",
  'select id from numbers where day < sysdate()',
  'select id, chance() as x from numbers',
  'select id from numbers where id in (select id from above)',
  'select n.id from numbers n left join (numbers m join elsewhere.chances c using (id)) using (id)',
  'select id, luck from drawn',
  'select 1 as id, count(*) as x from information_schema.global_status',
];

const STEADY = [
  'select id from numbers',
  'select id, now(6) as x, one() as y, extract(year from day) as z from numbers',
  `select id, 'it''s \\\\' as x, 'rand()' as \`uuid()\` from numbers`,
  'select n, count(*) as id from numbers group by n',
];

const VIEWS = [...VARYING, ...STEADY];

const LUCKY = { attribute: 'luck', op: 'lt', value: 0.5 };
const EVERY = { attribute: 'id', op: 'gt', value: 0 };

interface Numbered {
  readonly id: number;
  readonly luck: number;
}

/** How many records a page has whose list has so many. */
function expected(total: string | null, before: number, size: number): number {
  return Math.max(0, Math.min(size, Number(total) - before));
}

describeMariadb('a reply of a view of MariaDB that asks for chance', () => {
  const server = useMariadb(baseOf);
  let engine: Engine;
  beforeAll(async () => {
    const views = VIEWS.map((sql, index) => `create view v${index} as ${sql};`);
    await server().client(views.join('\n'));
    const names = ['above', 'chances', ...VIEWS.map((_, index) => `v${index}`)];
    const models = Object.fromEntries(names.map((name) => [name, { key: ['id'] }]));
    engine = await open(server().url, { models: { ...models, drawn: {} } });
  });

  const read = async (page: object, members: object = {}) => {
    const attributes = { query_model: 'above', query_attributes: ['id', 'luck', 'label', 'day'] };
    const answer = await engine.query({ ...attributes, page, ...members }, EVERYTHING);
    const records = JSON.parse(answer.result) as Numbered[];
    return { records, page: answer.page, version: answer.version };
  };

  it.each([1, 2, 3])('has as many records as its total says on page %i', async (page) => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const answer = await read({ page, size: 250 });
      expect(answer.records).toHaveLength(expected(answer.page.total, (page - 1) * 250, 250));
      expect(answer.version).toBeUndefined();
    }
  });

  it.each([1, 2, 3])(
    'has as many records as its bounded total says on page %i, and is followed by one where it says so',
    async (number) => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const members = { query_total: { up_to: 900 } };
        const { records, page } = await read({ page: number, size: 250 }, members);
        expect(records).toHaveLength(expected(page.total, (number - 1) * 250, 250));
        expect(page.has_next).toBe(Number(page.total) > number * 250);
      }
    },
  );

  it.each([[undefined], ['none']])(
    'has the values that its filter asks for, with the total %s',
    async (query_total) => {
      const { records } = await read({ page: 1, size: 50 }, { query_total, query_filter: LUCKY });
      expect(records).toHaveLength(50);
      expect(records.filter(({ luck }) => luck >= 0.5)).toEqual([]);
    },
  );

  it('finds the page of a record in the list that it counts', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page } = await read({ containing: { id: 500 }, size: 20 });
      expect(records.map(({ id }) => id)).toContain(500);
      expect(records).toHaveLength(expected(page.total, (Number(page.page) - 1) * 20, 20));
    }
  });

  it('exports as many records as it promised, in their order', async () => {
    for (const filter of [undefined, LUCKY]) {
      for (let attempt = 0; attempt < 10; attempt++) {
        const { records, total } = await exported(engine, { model: 'above', filter });
        const ids = records.map(({ id }) => Number(id));
        expect(BigInt(ids.length)).toBe(total);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
    }
  });

  it('has facets of the same records', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const query_facets = [
        { attribute: 'n', values: 7 },
        { attribute: 'label', values: 2, query_filter: EVERY },
        { attribute: 'n', bins: 4 },
      ];
      const { json } = await engine.facets({ query_model: 'chances', query_facets }, EVERYTHING);
      const { facets, total } = JSON.parse(json) as {
        facets: { values?: { count: string }[]; bins?: { count: string }[] }[];
        total: string;
      };
      const counts = facets.map(({ values = [], bins = values }) =>
        bins.reduce((sum, { count }) => sum + Number(count), 0),
      );
      expect(counts).toEqual([Number(total), Number(total), Number(total)]);
    }
  });

  it('has labels in the order of their type, and values as the view has them', async () => {
    const query_sort = [{ attribute: 'label', direction: 'asc' }];
    const { records } = await read({ page: 1, size: 1 }, { query_sort });
    expect(records).toMatchObject([{ label: 'z', day: '2026-01-01' }]);
  });

  it.each(VARYING)('varies where the view is: %s', (sql) => {
    expect(engine.catalogue.get(`v${VIEWS.indexOf(sql)}`)?.varies).toBeDefined();
  });

  it.each(STEADY)('is the same throughout a statement where the view is: %s', (sql) => {
    expect(engine.catalogue.get(`v${VIEWS.indexOf(sql)}`)?.varies).toBeUndefined();
  });

  it('varies where a column of a table is computed by chance when it is read', () => {
    expect(engine.catalogue.get('drawn')?.varies).toBeDefined();
  });

  it('has views of unknown definition whose reasons say what to grant', async () => {
    await server().client(`
      create user reader identified by 'secret';
      grant select on ${nameOf(server())}.* to reader;
      create user shown identified by 'secret';
      grant select, show view on ${nameOf(server())}.* to shown;`);
    const reasonOf = async (user: string) => {
      const models = { chances: { key: ['id'] } };
      const url = server().url.replace('root@', `${user}:secret@`);
      return (await open(url, { models })).catalogue.get('chances');
    };
    expect((await reasonOf('reader'))?.unversioned).toContain('SHOW VIEW');
    const shown = await reasonOf('shown');
    expect(shown?.unversioned).toBeUndefined();
    expect(shown?.varies).toBeDefined();
  });
});
