import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Documents, by their ids from 1 on. */
const DOCUMENTS: readonly (string | null)[] = [
  '["red","blue"]',
  '["red"]',
  '[]',
  null,
  'null',
  '"red"',
  '{"red":"red"}',
  '[["red"],{"a":"red"}]',
  '[1,true,null]',
  '["1","true","null"]',
  '[false,0]',
  '[1.0,-0.0]',
  '[10e-1]',
  '[9007199254740993]',
  '[9007199254740992]',
  '[18446744073709551615]',
  '[12.50]',
  '[-12.5]',
  '[1e300]',
  '["Red","réd","red "]',
  String.raw`["\u0072ed"]`,
  String.raw`["a\\\u0041\"b/"]`,
  '["😀"]',
  String.raw`["\ud83d\ude00"]`,
  '["%","_","a%b"]',
  ' [ "red" ] ',
];

const NULLS = [4];

/** An operator, its value, and the ids of the arrays that it keeps. */
const CASES: readonly (readonly [op: string, value: unknown, ...ids: number[]])[] = [
  ['has', 'red', 1, 2, 21, 26],
  ['has', 'Red', 20],
  ['has', 'red ', 20],
  ['has', ''],
  ['has', 1, 9, 12, 13],
  ['has', '1', 10],
  ['has', true, 9],
  ['has', 'true', 10],
  ['has', false, 11],
  ['has', 0, 11, 12],
  ['has', { number: '-0.000' }, 11, 12],
  ['has', { number: '9007199254740993' }, 14],
  ['has', { number: '9007199254740992.0' }, 15],
  ['has', { number: '18446744073709551615' }, 16],
  ['has', { number: '1.8446744073709551615e19' }, 16],
  ['has', 12.5, 17],
  ['has', { number: '12.50000000000000000000000000000000000000000000000000000000001' }],
  ['has', -12.5, 18],
  ['has', { number: '1e300' }, 19],
  ['has', { number: `1${'0'.repeat(300)}` }, 19],
  ['has', { number: '1e299' }],
  ['has', 'a\\A"b/', 22],
  ['has', '😀', 23, 24],
  ['has', '%', 25],
  ['has', "'; drop table docs; --"],
  ['has_any', ['blue', 1], 1, 9, 12, 13],
  ['has_any', ['nowhere', 'never']],
  ['has_any', ['red', 'red'], 1, 2, 21, 26],
  ['has_all', ['red', 'blue'], 1],
  ['has_all', ['red', 'red'], 1, 2, 21, 26],
  ['has_all', ['red', 'never']],
  ['has_all', [1, true], 9],
];

describe.each(FIXTURES)('a filter of JSON arrays on $name', (fixture) => {
  const attributes = fixture.family === 'PostgreSQL' ? ['doc', 'docb'] : ['doc'];
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    const columns = fixture.family === 'PostgreSQL' ? 'doc json, docb jsonb' : 'doc json';
    const rows = DOCUMENTS.map((document, index) => {
      const text = fixture.literal(document, 'json');
      return `(${[index + 1, ...attributes.map(() => text)].join(', ')})`;
    });
    await database.execute([
      `create table docs (id integer not null primary key, ${columns})`,
      `insert into docs values ${rows.join(', ')}`,
    ]);
    engine = await open(database.url);
  });

  const ids = (filter: unknown) => idsOf(engine, 'docs', filter);

  it.each(CASES)('%s %j keeps the arrays that do', async (op, value, ...kept) => {
    for (const attribute of attributes) {
      const filter = { attribute, op, value };
      expect([attribute, await ids(filter)]).toEqual([attribute, kept]);
      const others = DOCUMENTS.map((_, index) => index + 1).filter(
        (id) => !kept.includes(id) && !NULLS.includes(id),
      );
      expect([attribute, await ids({ not: filter })]).toEqual([attribute, others]);
    }
  });

  it('takes as many values as a filter may list', async () => {
    const value = Array.from({ length: 1000 }, (_, index) => (index === 999 ? 'red' : index + 0.5));
    expect(await ids({ attribute: 'doc', op: 'has_any', value })).toEqual([1, 2, 17, 21, 26]);
    expect(await ids({ attribute: 'doc', op: 'has_all', value })).toEqual([]);
    const texts = value.map((one) => `${one}`);
    expect(await ids({ attribute: 'doc', op: 'has_any', value: texts })).toEqual([1, 2, 21, 26]);
  });

  it('is a row policy too: records and totals are those that hold the value', async () => {
    const rowPolicy = { attribute: 'doc', op: 'has', value: 'red' } as const;
    const docs = { attributes: 'all', rowPolicy } as const;
    const filter = { not: { attribute: 'doc', op: 'has', value: 'blue' } };
    const body = bodyOf({ model: 'docs', filter });
    const grant = new Grant(new Map([['docs', docs]]));
    const { result, page } = await engine.query(body, grant);
    const found = (JSON.parse(result) as { id: string | number }[]).map(({ id }) => Number(id));
    expect([found, page.total]).toEqual([[2, 21, 26], '3']);
  });

  it.each([
    ['has', ['red']],
    ['has', { a: 1 }],
    ['has_any', ['red', null]],
    ['has_any', []],
    ['has_all', 'red'],
  ])('%s %j is refused', async (op, value) => {
    const body = bodyOf({ model: 'docs', filter: { attribute: 'doc', op, value } });
    await expect(engine.query(body, EVERYTHING)).rejects.toMatchObject({
      errors: [{ code: expect.stringMatching(/^invalid_(value|type)$/) as string }],
    });
  });
});
