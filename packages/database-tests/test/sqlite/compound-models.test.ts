import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { open } from '../open.ts';

const SCRIPT = `
  create table customers (id integer primary key, name text);
  create table numbers (id integer primary key, code integer);
  create table texts (id integer primary key, code text);
  insert into customers values (1, 'Ada'), (2, 'Bob');
  insert into numbers values (1, 1), (2, 1), (3, 2), (4, null);
  insert into texts values (1, '1'), (2, 'x');
  create view texts_first as select id + 100 as id, code from texts union all select * from numbers;`;

const MODELS = {
  texts_first: 'select id + 100 as id, code from texts union all select id, code from numbers',
  numbers_first: 'select id, code from numbers union all select id + 100, code from texts',
  of_a_view: 'select id, code from texts_first',
};

describe('a model of SQLite whose parts store values of one attribute otherwise', () => {
  let engine: Engine;
  beforeAll(async () => {
    const models = Object.entries(MODELS).map(([name, sql]) => {
      const customer = { attributes: ['code'], model: 'customers', key: ['id'], inverse: name };
      const shared = { key: ['id'], reads: ['numbers', 'texts', 'texts_first'] };
      return [`of_${name}`, { ...shared, sql, relations: { customer } }] as const;
    });
    engine = await open(`sqlite:${databaseFile(SCRIPT)}`, { models: Object.fromEntries(models) });
  });

  it.each(['texts_first', 'of_a_view'])(
    'has each record counted once for another: %s',
    async (name) => {
      const { result, page } = await engine.query(
        {
          query_model: 'customers',
          query_attributes: ['id', 'n'],
          query_related: [{ name: 'n', related: name, op: 'count' }],
          query_filter: { attribute: 'n', op: 'gte', value: 0 },
          page: { page: 1, size: 10 },
        },
        EVERYTHING,
      );
      expect([page.total, result]).toEqual(['2', '[{"id":"1","n":"3"},{"id":"2","n":"1"}]']);
    },
  );

  it('has texts found by their beginning, whatever they are stored as', async () => {
    const { page } = await engine.query(
      {
        query_model: 'of_numbers_first',
        query_attributes: ['id'],
        query_filter: { attribute: 'code', op: 'starts_with', value: '1' },
        page: { page: 1, size: 10 },
      },
      EVERYTHING,
    );
    expect(page.total).toBe('3');
  });
});
