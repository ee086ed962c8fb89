import { aggregatesOf } from '@proj/contract';
import type { Engine } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { recordsOf } from '../../lists.ts';
import { open } from '../../open.ts';
import { createTable, modelSettings, type Table, wireTypeOf } from '../tables.ts';
import { ASCENDING } from '../values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

type Kind = keyof typeof ASCENDING;

const KINDS = Object.keys(ASCENDING) as Kind[];

const LENGTH = Math.max(...KINDS.map((kind) => ASCENDING[kind].length));

const OWNERS: Table = {
  name: 'owners',
  columns: { code: 'text not null' },
  rows: [['a'], ['b'], ['c'], ['d']],
};

/** Owners 1 and 2 have each other value, 3 NULLs alone, and 4 nothing. */
const THINGS: Table = {
  name: 'things',
  columns: { owner_id: 'int32', ...Object.fromEntries(KINDS.map((kind) => [`of_${kind}`, kind])) },
  rows: [
    ...Array.from({ length: LENGTH }, (_, index) => [
      1 + (index % 2),
      ...KINDS.map((kind) => ASCENDING[kind][index] ?? null),
    ]),
    [3, ...KINDS.map(() => null)],
    [null, ...KINDS.map((kind) => ASCENDING[kind][0] ?? null)],
  ],
};

const OWNER = { attributes: ['owner_id'], model: 'owners', key: ['id'], inverse: 'things' };

describe.each(FIXTURES)('aggregates of related records on $name', (fixture) => {
  /** On every commit each second one, and on the next database the others. */
  const tried = eachNth(2, KINDS, FIXTURES.indexOf(fixture));
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await createTable(fixture, database, OWNERS);
    await createTable(fixture, database, THINGS);
    const models = modelSettings(fixture, [OWNERS, THINGS]);
    const things = { ...models['things'], relations: { owner: OWNER } };
    engine = await open(database.url, { models: { ...models, things } });
  });

  it.each(tried)('are those of groups, sort and filter as they do: %s', async (kind) => {
    for (const op of aggregatesOf(wireTypeOf(kind))) {
      const attribute = `of_${kind}`;
      const groups = await recordsOf(engine, {
        query_model: 'things',
        query_groups: ['owner_id'],
        query_aggregates: [{ name: 'v', op, attribute }],
        query_group_filter: { attribute: 'owner_id', op: 'is_null', value: false },
        query_sort: [{ attribute: 'v', direction: 'desc' }, { attribute: 'owner_id' }],
      });
      const nothing = op.startsWith('count') ? '0' : null;
      const related = {
        query_model: 'owners',
        query_attributes: ['id', 'v'],
        query_related: [{ name: 'v', related: 'things', op, attribute }],
      };
      const owners = await recordsOf(engine, {
        ...related,
        query_sort: [{ attribute: 'v', direction: 'desc' }, { attribute: 'id' }],
      });
      const without4 = owners.filter(({ id }) => id !== 4);
      expect(without4.map(({ id, v }) => [id, v])).toEqual(
        groups.map(({ owner_id: id, v }) => [id, v]),
      );
      const shown = await recordsOf(engine, related);
      expect(shown.find(({ id }) => id === 4)).toEqual({ id: 4, v: nothing });
      expect(shown.toSorted(byId)).toEqual(owners.toSorted(byId));
      const isNull = { attribute: 'v', op: 'is_null', value: true };
      const nulls = await recordsOf(engine, { ...related, query_filter: isNull });
      expect(nulls.map(({ v }) => v)).toEqual(nothing === null ? [null, null] : []);
    }
  });

  it.each(['date', 'timestamp', 'timestamp_tz'])('are grouped by year: %s', async (kind) => {
    const related = {
      query_model: 'owners',
      query_related: [{ name: 'v', related: 'things', op: 'max', attribute: `of_${kind}` }],
    };
    const shown = await recordsOf(engine, { ...related, query_attributes: ['v'] });
    const groups = await recordsOf(engine, {
      ...related,
      query_groups: [{ attribute: 'v', by: 'year' }],
      query_aggregates: [
        { name: 'n', op: 'count' },
        { name: 'most', op: 'max', attribute: 'v' },
      ],
    });
    const values = shown.map(({ v }) => v).filter((value) => typeof value === 'string');
    const years = Map.groupBy(values.toSorted(), (value) => `${value.slice(0, 4)}-01-01`);
    expect(groups).toEqual([
      ...[...years].map(([year, all]) => ({
        'v.year': year,
        n: String(all.length),
        most: all.at(-1),
      })),
      { 'v.year': null, n: '2', most: null },
    ]);
  });
});

function byId(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return Number(a['id']) - Number(b['id']);
}
