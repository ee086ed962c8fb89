import { describe, expect, it } from 'vitest';

import { askFacets } from '../databases/checked-facets.ts';
import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const AGE = "extract(epoch from now() - '2020-01-01'::timestamptz)::float8 + id";

const text = (sql: string) => ({ sql, type: 'text', reads: 'row' }) as const;

describe('what the settings compute on PostgreSQL', () => {
  const postgres = usePostgres(`create type mood as enum ('sad', 'ok');
    create table days (id int primary key, mood mood, code uuid, doc xml, codes int[]);
    insert into days values (1, 'ok', '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', '<a/>', '{1}');
    create table numbers (id int primary key); insert into numbers select generate_series(1, 4);
    create domain positive as int check (value > 0);
    create domain small as positive check (value < 10);
    create domain smallest as small;
    create table facts (id int primary key, v smallest);
    insert into facts values (1, 3), (2, null);`);

  it('shows values of types without a collation as texts, where the settings call them so', async () => {
    const attributes = {
      id: {},
      mood: text('mood'),
      code: text('code'),
      doc: text('doc'),
      codes: text('codes'),
    };
    const engine = await open(postgres().url, { models: { days: { attributes } } });
    expect(engine.reports).toMatchObject([
      { problem: 'PostgreSQL computes values of type array, not text.' },
    ]);
    const { records } = await ask(engine, { model: 'days', attributes: ['mood', 'code', 'doc'] });
    expect(records).toEqual([
      { mood: 'ok', code: '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', doc: '<a/>' },
    ]);
  });

  it('is of the base type of domains over domains', async () => {
    const models = {
      selected: { sql: 'select id, v from facts', key: ['id'] },
      computed: { source: 'facts', attributes: { v: { sql: 't.v', type: 'int32' as const } } },
    };
    const engine = await open(postgres().url, { models });
    expect(engine.reports).toEqual([]);
    for (const model of ['selected', 'computed']) {
      expect(engine.catalogue.get(model)?.attributes.get('v')?.type).toBe('int32');
      const reply = await ask(engine, { model, attributes: ['v'] });
      expect(reply.text).toBe('[{"v":3},{"v":null}]');
    }
  });

  it.each([
    ['an attribute', { attributes: { id: {}, age: { sql: AGE, type: 'float64' } } }],
    ['a selection', { sql: `select id, ${AGE} as age from numbers`, key: ['id'] }],
  ] as const)('is divided into bins where values of %s depend on the time', async (_, model) => {
    const engine = await open(postgres().url, { models: { numbers: model } });
    expect(engine.reports).toEqual([]);
    const facets = [{ attribute: 'age', bins: 3 }];
    const [{ bins = [], others } = {}] = (await askFacets(engine, { model: 'numbers', facets }))
      .facets;
    expect([bins.map(({ count }) => count), others]).toEqual([['1', '1', '2'], '0']);
  });
});
