import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from './fixtures/index.ts';
import { ask, bodyOf, open, type Reply } from './open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const SCRIPT = [
  'create table cities (id integer not null primary key, name varchar(40) not null, twin varchar(40))',
  `insert into cities values ${Array.from({ length: 42 }, (_, index) => `(${index + 1}, 'City ${index + 1}', null)`).join(', ')}`,
  'create table no_rows (id integer not null primary key)',
];

describe.each(FIXTURES)('the pages of 42 rows on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(SCRIPT);
    engine = await open(database.url);
  });

  function page(number: number, size = 10): Promise<Reply> {
    return ask(engine, { model: 'cities', attributes: ['name'], page: number, size });
  }

  it.each([
    [1, 1, 10, true],
    [2, 11, 20, true],
    [3, 21, 30, true],
    [4, 31, 40, true],
    [5, 41, 42, false],
  ])(
    'number %i of size 10 holds records %i to %i, and has_next is %s',
    async (number, first, last, has_next) => {
      const reply = await page(number);
      const names = Array.from({ length: last - first + 1 }, (_, index) => ({
        name: `City ${first + index}`,
      }));
      expect(reply.records).toEqual(names);
      expect(reply.page).toEqual({ page: String(number), size: '10', total: '42', has_next });
    },
  );

  it.each([6, 7, 1000, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])(
    'number %i is past the end: empty, with the true total',
    async (number) => {
      expect(await page(number)).toEqual({
        text: '[]',
        records: [],
        page: { page: String(number), size: '10', total: '42', has_next: false },
      });
    },
  );

  it('number 2^53 − 1 of size 1000 is past the end too, though its offset passes 2^53', async () => {
    const { text, page: metadata } = await page(Number.MAX_SAFE_INTEGER, 1000);
    expect(text).toBe('[]');
    expect(metadata).toEqual({
      page: '9007199254740991',
      size: '1000',
      total: '42',
      has_next: false,
    });
  });

  it.each([
    [42, 1, 42, false],
    [41, 1, 41, true],
    [41, 2, 1, false],
    [21, 2, 21, false],
    [1, 42, 1, false],
    [1, 41, 1, true],
    [1000, 1, 42, false],
  ])(
    'of size %i: number %i has %i records, and has_next is %s',
    async (size, number, length, has_next) => {
      const reply = await page(number, size);
      expect(reply.records).toHaveLength(length);
      expect(reply.page.has_next).toBe(has_next);
    },
  );

  it('hold every row once, whatever the size', async () => {
    for (const size of [1, 5, 7, 41, 42, 43]) {
      const names: unknown[] = [];
      for (let number = 1; ; number++) {
        const reply = await page(number, size);
        names.push(...reply.records.map(({ name }) => name));
        if (!reply.page.has_next) break;
      }
      expect(names).toEqual(Array.from({ length: 42 }, (_, index) => `City ${index + 1}`));
    }
  });

  it('of an empty table are empty, with total 0', async () => {
    const { text, page: metadata } = await ask(engine, { model: 'no_rows', attributes: ['id'] });
    expect(text).toBe('[]');
    expect(metadata).toEqual({ page: '1', size: '10', total: '0', has_next: false });
  });

  it('report where the time went', async () => {
    const { milliseconds } = await engine.query(
      bodyOf({ model: 'cities', attributes: ['id'] }),
      EVERYTHING,
    );
    for (const part of Object.values(milliseconds)) expect(part).toBeGreaterThanOrEqual(0);
    expect(Object.keys(milliseconds).toSorted()).toEqual(['count', 'plan', 'rows']);
  });

  it('are refused with every error when the request has errors', async () => {
    const body = {
      query_model: 'cities',
      query_attributes: ['names', 'id'],
      page: { page: 1, size: 1001 },
    };
    await expect(engine.query(body, EVERYTHING)).rejects.toMatchObject({
      name: 'InvalidQueryError',
      message: expect.stringMatching(/^The query has 2 errors: /) as string,
      errors: [
        { pointer: '/query_attributes/0', code: 'unknown_attribute', did_you_mean: 'name' },
        { pointer: '/page/size', code: 'size_too_large', maximum: 1000 },
      ],
    });
  });

  it('are as hidden from who may not see the model as if there were none', async () => {
    await expect(
      ask(
        engine,
        { model: 'cities', attributes: ['name'] },
        new Grant(new Map([['no_rows', { attributes: 'all' }]])),
      ),
    ).rejects.toMatchObject({
      errors: [{ pointer: '/query_model', code: 'unknown_model' }],
    });
  });
});
