import { type Engine, EVERYTHING, Grant, type ModelGrant } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TABLES = [
  'create table vaults (id int not null primary key, name varchar(20) not null)',
  `create table owners (
    id int not null primary key, name varchar(20) not null, secret varchar(20), open int not null,
    vault_id int references vaults (id)
  )`,
  `create table items (
    id int not null primary key, name varchar(20) not null, owner_id int, vault_id int,
    foreign key (owner_id) references owners (id), foreign key (vault_id) references vaults (id)
  )`,
  "insert into vaults values (1, 'deep'), (2, 'flat')",
  "insert into owners values (1, 'Ada', 'red', 1, 1), (2, 'Bob', 'blue', 0, 2)",
  `insert into items values
    (1, 'a', 1, 1), (2, 'b', 2, 2), (3, 'c', null, null), (4, 'd', 2, 1), (5, 'e', 1, 2)`,
];

const ALL: ModelGrant = { attributes: 'all' };
const OPEN = { attribute: 'open', op: 'eq', value: 1 } as const;

/** Sees owners but Bob, no secret, and no vaults. */
const GUEST = new Grant(
  new Map<string, ModelGrant>([
    ['items', { attributes: new Set(['id', 'name', 'owner_id']) }],
    ['owners', { attributes: new Set(['id', 'name', 'vault_id']), rowPolicy: OPEN }],
  ]),
);

/** Sees vaults and items, and no owners. */
const KEEPER = new Grant(
  new Map<string, ModelGrant>([
    ['items', ALL],
    ['vaults', ALL],
  ]),
);

/** The two models of a reference, without the attribute that refers. */
const WITHOUT_COLUMN = new Grant(
  new Map<string, ModelGrant>([
    ['items', { attributes: new Set(['id', 'name']) }],
    ['owners', ALL],
  ]),
);

/** The two models of a reference, without the attribute that it refers to. */
const WITHOUT_KEY = new Grant(
  new Map<string, ModelGrant>([
    ['items', ALL],
    ['owners', { attributes: new Set(['name', 'vault_id']) }],
  ]),
);

const EQ = { op: 'eq', value: 'x' };

/** Every way to name an attribute in a request. */
function ways(name: string): Record<string, object> {
  return {
    attributes: { query_attributes: ['id', name] },
    filter: { query_filter: { attribute: name, ...EQ } },
    isNull: { query_filter: { attribute: name, op: 'is_null', value: true } },
    not: { query_filter: { not: { attribute: name, ...EQ } } },
    some: { query_filter: { related: 'items', some: { attribute: name, ...EQ } } },
    sort: { query_sort: [{ attribute: name }] },
    groups: { query_groups: ['id', name] },
    aggregate: {
      query_groups: ['id'],
      query_aggregates: [{ name: 'least', op: 'min', attribute: name }],
    },
    containing: { page: { containing: { id: 1 }, size: 2 }, query_sort: [{ attribute: name }] },
  };
}

function suggestions(errors: unknown): unknown[] {
  return (errors as { did_you_mean?: string }[]).map((error) => error.did_you_mean);
}

describe.each(FIXTURES)(
  'what a role does not see, asked for along relations on $name',
  (fixture) => {
    let engine: Engine;

    beforeAll(async () => {
      const database = await fixture.create();
      await database.execute(TABLES);
      engine = await open(database.url);
    });

    function query(members: object, grant: Grant): Promise<unknown> {
      const body = { query_attributes: ['id'], page: { page: 1, size: 10 }, ...members };
      return engine.query({ query_model: 'items', ...body }, grant).then(
        ({ result, page }) => ({
          result: JSON.parse(result) as unknown,
          total: String(page.total),
        }),
        (error: Error & { errors?: unknown }) => error.errors ?? error,
      );
    }

    it.each([
      ['an attribute that is hidden', 'owner.secret', GUEST],
      ['a model that is hidden behind one that is not', 'owner.vault.name', GUEST],
      ['a model over a key that is hidden', 'vault.name', GUEST],
      ['a model that is hidden', 'owner.name', KEEPER],
      ['what is behind a model that is hidden', 'owner.vault.name', KEEPER],
      ['an attribute over a column that is hidden', 'owner.name', WITHOUT_COLUMN],
      ['an attribute over a key that is hidden', 'owner.name', WITHOUT_KEY],
    ])('has the error of a name that does not exist: %s', async (_title, path, grant) => {
      const absent = path.replace(/[^.]+$/, 'nowhere');
      for (const [way, members] of Object.entries(ways(path))) {
        const asked = JSON.stringify(await query(members, grant));
        const unknown = JSON.stringify(await query(ways(absent)[way] ?? {}, grant));
        expect(asked.replaceAll(path, 'PATH')).toBe(unknown.replaceAll(absent, 'PATH'));
        expect(asked).toContain('unknown_attribute');
        expect(asked).not.toContain('did_you_mean');
      }
    });

    it('has the error of an unknown name for records of a model that is hidden', async () => {
      const body = { query_model: 'vaults', query_filter: { related: 'owners', some: {} } };
      expect(await query(body, KEEPER)).toMatchObject([
        { code: 'unknown_attribute', pointer: '/query_filter/related' },
      ]);
      expect(await query(body, EVERYTHING)).toMatchObject({ total: '2' });
    });

    it('is named by no suggestion', async () => {
      const near = { query_attributes: ['owner.secre', 'ovner.secret', 'owner.vault.nam'] };
      expect(suggestions(await query(near, GUEST))).toEqual([undefined, undefined, undefined]);
      expect(suggestions(await query(near, EVERYTHING))).toEqual([
        'owner.secret',
        'owner.secret',
        'owner.vault.name',
      ]);
    });

    it('is NULL where a row policy hides the record, exactly as where there is no record', async () => {
      const records = [1, 2, 3, 4, 5].map((id) => ({
        id: String(id),
        'owner.name': id === 1 || id === 5 ? 'Ada' : null,
      }));
      const query_attributes = ['id', 'owner.name'];
      expect(await query({ query_attributes }, GUEST)).toMatchObject({
        result: records.map((record) => ({ ...record, id: expect.anything() as unknown })),
        total: '5',
      });
      const idsWhere = async (query_filter: object): Promise<number[]> => {
        const { result } = (await query({ query_filter }, GUEST)) as { result: { id: unknown }[] };
        return result.map(({ id }) => Number(id));
      };
      const bob = { attribute: 'owner.name', op: 'eq', value: 'Bob' };
      expect(await idsWhere(bob)).toEqual([]);
      expect(await idsWhere({ not: bob })).toEqual([1, 5]);
      expect(await idsWhere({ ...bob, op: 'ne' })).toEqual([1, 5]);
      expect(await idsWhere({ ...bob, op: 'is_distinct' })).toEqual([1, 2, 3, 4, 5]);
      const isNull = { attribute: 'owner.name', op: 'is_null', value: true };
      expect(await idsWhere(isNull)).toEqual([2, 3, 4]);
      expect(await idsWhere({ not: isNull })).toEqual([1, 5]);
    });

    it('has no place of its own in an order, in facets or among the least and greatest', async () => {
      const query_sort = [{ attribute: 'owner.name', nulls: 'first' }];
      const { result } = (await query({ query_sort }, GUEST)) as { result: { id: unknown }[] };
      expect(result.map(({ id }) => Number(id))).toEqual([2, 3, 4, 1, 5]);
      const query_facets = [{ attribute: 'owner.name', values: 5 }];
      const { json } = await engine.facets({ query_model: 'items', query_facets }, GUEST);
      expect(JSON.parse(json)).toMatchObject({
        facets: [{ values: [{ value: 'Ada', count: '2' }], nulls: '3', min: 'Ada', max: 'Ada' }],
      });
    });

    it('is in no group and in no aggregate, exactly as where there is no record', async () => {
      const members = {
        query_attributes: ['owner.name', 'n', 'last'],
        query_groups: ['owner.name'],
        query_aggregates: [
          { name: 'n', op: 'count' },
          { name: 'last', op: 'max', attribute: 'owner.vault_id' },
        ],
      };
      expect(await query(members, GUEST)).toEqual({
        result: [
          { 'owner.name': 'Ada', n: '2', last: expect.anything() as unknown },
          { 'owner.name': null, n: '3', last: null },
        ],
        total: '2',
      });
      expect(await query(members, EVERYTHING)).toMatchObject({ total: '3' });
    });

    it('is never in the answer to another role that was kept', async () => {
      const members = { query_attributes: ['id', 'owner.name'], query_sort: [{ attribute: 'id' }] };
      for (let round = 0; round < 3; round++) {
        expect(JSON.stringify(await query(members, EVERYTHING))).toContain('Bob');
        expect(JSON.stringify(await query(members, GUEST))).not.toContain('Bob');
      }
    });
  },
);
