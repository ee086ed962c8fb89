import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MODELS_PATH } from '../helper.ts';
import { openShop } from './shop.ts';

// hostile-bodies.test.ts sends names that objects have by themselves.

const shop = await openShop();

const GRANTED = ['id', 'customer', 'amount'] as const;

/** What the token of a clerk must never read, in data and in names. */
const UNGRANTED = /tenant|secret|salaries|person|wage|canary-south/;

/** Names that are nearly others, or that mean something somewhere. */
const NAUGHTY: readonly string[] = [
  '*',
  ' ',
  'ID',
  'Customer',
  ' id',
  'id ',
  'id\n',
  '"id"',
  '`id`',
  '[id]',
  'orders.id',
  't.id',
  't.*',
  'id as x',
  'id, amount',
  'id; drop table orders',
  'id--',
  '1',
  'rowid',
  'oid',
  '_rowid_',
  'c0',
  'rows',
  '$claims',
  'null',
  'true',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'ｉｄ',
  'i\u0307d',
  'id\u200b',
  'a'.repeat(64),
  'customer'.padEnd(80, ' '),
  'c%',
  '..',
  'data->>id',
  'count(*)',
  '(select 1)',
];

interface Answer {
  readonly result?: readonly Record<string, unknown>[];
}

async function keysOf(attributes: readonly string[]): Promise<readonly string[] | undefined> {
  const reply = await shop.ask('north-token', {
    query_attributes: attributes,
    page: { page: 1, size: 3 },
  });
  const { result } = reply.json<Answer>();
  expect(reply.statusCode).toBe(result === undefined ? 400 : 200);
  expect(shownBy(reply.body, attributes)).not.toMatch(UNGRANTED);
  expect([undefined, 3]).toContain(result?.length);
  return result?.[0] && Object.keys(result[0]);
}

/** What a reply shows that the request did not name itself. */
function shownBy(body: string, named: readonly string[]): string {
  return named.reduce((text, name) => text.replaceAll(JSON.stringify(name).slice(1, -1), ''), body);
}

describe('the keys of a record', () => {
  it('are what was requested and granted, in that order, whatever the names are', async () => {
    const name = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<string>(...GRANTED) },
      { weight: 1, arbitrary: fc.constantFrom(...NAUGHTY, 'secret', 'tenant') },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 3 }), async (names) => {
        const allowed =
          new Set(names).size === names.length &&
          names.every((one) => GRANTED.some((known) => known === one));
        expect(await keysOf(names)).toEqual(allowed ? names : undefined);
      }),
      { numRuns: 50, seed: SEED },
    );
  });
});

const leaf = (attribute: string, op = 'eq', value: unknown = 'x') => ({
  query_filter: { attribute, op, value },
});

describe('what is not granted', () => {
  const FAULTY: readonly object[] = [
    { query_model: 'order' },
    { query_model: 'salarie' },
    { query_model: 'ORDERS' },
    { query_attributes: ['secre', 'tenan', 'custome', 'amounts'] },
    { query_attributes: ['id', 'x'.repeat(5000)] },
    leaf('tenan'),
    leaf('secret_'),
    leaf('amount', 'between', ['a', 'b']),
    leaf('amount', 'matches'),
    leaf('customer', 'contains', 7),
    { query_sort: [{ attribute: 'secre' }, { attribute: 'tenan' }] },
    { query_sort: [{ attribute: 'id', direction: 'up' }] },
    { page: { page: 1, size: 1001 } },
    { page: {} },
    { more: 1 },
    { query_model: 'products', query_attributes: ['lable', 'wages', 'persons'] },
  ];

  it.each(FAULTY)('is in no error body: %j', async (members) => {
    const { statusCode, body } = await shop.ask('north-token', members);
    expect(statusCode).toBe(400);
    expect(shownBy(body, textsOf(members))).not.toMatch(UNGRANTED);
  });

  it('is in no reply of the catalogue, and the query gives no more than it lists', async () => {
    const { body } = await shop.get('north-token', MODELS_PATH);
    expect(body).not.toMatch(UNGRANTED);
    const { models } = JSON.parse(body) as {
      models: { name: string; attributes: { name: string }[] }[];
    };
    expect(models.map(({ name, attributes }) => [name, attributes.map((one) => one.name)])).toEqual(
      [
        ['orders', [...GRANTED]],
        ['products', ['id', 'label']],
      ],
    );
  });
});

it('the version of the data, which shows that somebody wrote, is shown to roles that see all rows alone', async () => {
  expect((await shop.ask('audit-token')).headers['data-version']).toBeTypeOf('string');
  expect((await shop.ask('north-token')).headers).not.toHaveProperty('data-version');
});

/** Every text of a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
