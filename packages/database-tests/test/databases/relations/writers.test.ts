import { setImmediate } from 'node:timers/promises';

import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { type FixtureDatabase, shareOf } from '../../fixtures/fixture.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REPLIES = beforeRelease ? 300 : 15;

const TABLES = [
  'create table countries (id int not null primary key, state int not null)',
  `create table customers (
    id int not null primary key, state int not null, country_id int not null
  )`,
  `create table orders (
    id int not null primary key, state int not null, customer_id int not null
  )`,
];

const MODELS = {
  customers: {
    relations: { country: { attributes: ['country_id'], model: 'countries', key: ['id'] } },
  },
  orders: {
    relations: {
      customer: {
        attributes: ['customer_id'],
        model: 'customers',
        key: ['id'],
        inverse: 'orders',
      },
    },
  },
};

/** How many orders there are in a state. */
function ordersOf(state: number): number {
  return 20 + (state % 7);
}

function valuesOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `(${row.join(', ')})`).join(', ');
}

/** All rows of a state, whose keys are others in the next one. */
function statementsOf(state: number, empty: (table: string) => string): string[] {
  const keys = (count: number): number[] =>
    Array.from({ length: count }, (_, index) => index + 1 + (state % 5) * 100);
  const [country, customers, orders] = [keys(1)[0], keys(4), keys(ordersOf(state))];
  return [
    ...['orders', 'customers', 'countries'].map(empty),
    `insert into countries values (${country}, ${state})`,
    `insert into customers values ${valuesOf(customers.map((id) => [id, state, country]))}`,
    `insert into orders values ${valuesOf(
      orders.map((id, index) => [id, state, customers[index % customers.length]]),
    )}`,
  ];
}

/** The one state that all values of some records are of. */
function stateOf(records: readonly Record<string, unknown>[]): number {
  const states = new Set(records.flatMap((record) => Object.values(record)));
  expect([...states]).toHaveLength(1);
  return Number([...states][0]);
}

const SHOWN = ['state', 'customer.state', 'customer.country.state'];
const SORT = [{ attribute: 'customer.id', direction: 'desc' }, { attribute: 'id' }];
const RELATED = [
  { name: 'n', related: 'orders', op: 'count' },
  { name: 'least', related: 'orders', op: 'min', attribute: 'state' },
  { name: 'most', related: 'orders', op: 'max', attribute: 'customer.country.state' },
];
const KEPT = { attribute: 'customer.country.state', op: 'gte', value: 0 };

describe.each(FIXTURES)(
  'lists along relations on $name, beside a writer who replaces all rows and keys',
  (fixture) => {
    const empty = (table: string): string =>
      fixture.name === 'PostgreSQL' ? `truncate ${table}` : `delete from ${table}`;

    const replies = shareOf(fixture, REPLIES);
    let database: FixtureDatabase;
    let engine: Engine;

    beforeAll(async () => {
      database = await fixture.create();
      // Otherwise a writer of SQLite keeps this process waiting for readers that wait for it.
      if (fixture.name === 'SQLite') await database.execute(['pragma journal_mode = wal']);
      await database.execute([...TABLES, ...statementsOf(0, empty)]);
      engine = await open(database.url, { models: MODELS });
    });

    async function whileWriting(read: (place: number) => Promise<void>): Promise<void> {
      const over = new AbortController();
      let written = 0;
      const write = async (): Promise<void> => {
        for (let state = 1; !over.signal.aborted; state++) {
          await database.execute(['begin', ...statementsOf(state, empty), 'commit']);
          written = state;
          // SQLite is written in this thread: without a pause, nothing else would run.
          await setImmediate();
        }
      };
      const writing = write();
      try {
        for (let reply = 0; reply < replies; reply++) await read(SEED + reply);
      } finally {
        over.abort();
        await writing;
      }
      expect(written).toBeGreaterThan(0);
    }

    it('show records and total of one state', async () => {
      await whileWriting(async (place) => {
        const body = {
          query_model: 'orders',
          query_attributes: SHOWN,
          page: { page: 1 + (place % 2), size: 10 },
          ...(place % 3 > 0 && { query_sort: SORT }),
          ...(place % 5 > 2 && { query_filter: KEPT }),
        };
        const { result, page } = await engine.query(body, EVERYTHING);
        const state = stateOf(JSON.parse(result) as Record<string, unknown>[]);
        expect(Number(page.total)).toBe(ordersOf(state));
      });
    });

    it('count and sum up related records of one state', async () => {
      await whileWriting(async (place) => {
        const body = {
          query_model: 'customers',
          query_attributes: ['state', 'n', 'least', 'most'],
          query_related: RELATED,
          page: { page: 1, size: 10 },
          ...(place % 2 > 0 && { query_sort: [{ attribute: 'n', direction: 'desc' }] }),
          ...(place % 3 > 1 && { query_filter: { attribute: 'least', op: 'gte', value: 0 } }),
        };
        const { result, page } = await engine.query(body, EVERYTHING);
        const records = JSON.parse(result) as Record<string, unknown>[];
        const state = stateOf(records.map(({ state: own, least, most }) => ({ own, least, most })));
        expect(records.reduce((sum, { n }) => sum + Number(n), 0)).toBe(ordersOf(state));
        expect(Number(page.total)).toBe(4);
      });
    });

    it('have groups of one state, with their number', async () => {
      await whileWriting(async (place) => {
        const group = SHOWN[place % SHOWN.length] ?? '';
        const body = {
          query_model: 'orders',
          query_attributes: [group, 'least', 'n'],
          query_groups: [group],
          query_aggregates: [
            { name: 'least', op: 'min', attribute: 'customer.state' },
            { name: 'n', op: 'count' },
          ],
          page: { page: 1, size: 10 },
        };
        const { result, page } = await engine.query(body, EVERYTHING);
        const records = JSON.parse(result) as Record<string, unknown>[];
        const state = stateOf(records.map((one) => ({ group: one[group], least: one['least'] })));
        expect(records.map(({ n }) => Number(n))).toEqual([ordersOf(state)]);
        expect(Number(page.total)).toBe(1);
      });
    });

    it('are exported, and have facets, of one state', async () => {
      await whileWriting(async (place) => {
        if (place % 2 === 0) {
          const { records } = await exported(engine, { model: 'orders', attributes: SHOWN });
          if (records.length !== ordersOf(stateOf(records)))
            throw new Error(`${records.length} records of a state with another number`);
          return;
        }
        const facets = SHOWN.map((attribute) => ({ attribute, values: 5 }));
        const body = { query_model: 'orders', query_facets: facets };
        const { json } = await engine.facets(body, EVERYTHING);
        const found = JSON.parse(json) as { facets: { values: { value: number }[] }[] };
        const values = found.facets.flatMap((facet) =>
          facet.values.map(({ value }) => ({ value })),
        );
        expect(values).toHaveLength(SHOWN.length);
        stateOf(values);
      });
    });
  },
);
