import { type Engine, EVERYTHING, type Grant } from '@proj/engine';
import { eachNth, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { deepPagesOf } from '../../index-builds.ts';
import { open } from '../../open.ts';
import { createRelated, MODELS, ordersView, ROLES } from './schema.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const SIZE = 17;
const PAGES = [1, 2, 3, 4, 5];

/** Paths to names that are often missing, on the way or at its end, with the view's name of each. */
const PATHS = [
  ['customer.name', 'customer_name'],
  ['customer.country.name', 'customer_country_name'],
  ['customer.regions.name', 'customer_regions_name'],
  ['agent.level', 'agent_level'],
] as const;

const ORDERS = [
  { direction: 'asc', nulls: 'last' },
  { direction: 'asc', nulls: 'first' },
  { direction: 'desc', nulls: 'last' },
  { direction: 'desc', nulls: 'first' },
];

const TOTALS = ['exact', 'none', { up_to: 40 }];

interface Sorted {
  readonly model: string;
  readonly sort: readonly object[];
  readonly total?: unknown;
  readonly filter?: object;
}

describe.each(FIXTURES)(
  `lists in the order of a related attribute on $name (seed ${SEED})`,
  (fixture) => {
    let engine: Engine;

    beforeAll(async () => {
      const url = await createRelated(fixture, 7, ROLES.map(ordersView));
      engine = await open(url, { models: MODELS });
    });

    async function idsOf(list: Sorted, page: object, grant: Grant): Promise<number[]> {
      const body = {
        query_model: list.model,
        query_attributes: ['id'],
        query_sort: list.sort,
        query_total: list.total ?? 'exact',
        ...(list.filter && { query_filter: list.filter }),
        page,
      };
      const { result } = await engine.query(body, grant);
      return (JSON.parse(result) as { id: number }[]).map(({ id }) => id);
    }

    describe.each(ROLES)('for the role $name', ({ name, grant }) => {
      it.each(PATHS)('have the pages of a view with left joins, by %s', async (path, column) => {
        for (const [place, order] of eachNth(2, [...ORDERS.entries()])) {
          const others = [{ attribute: 'note', direction: 'desc' }];
          const ofView = {
            model: `orders_${name}`,
            sort: [{ attribute: column, ...order }, ...others],
          };
          const expected = await idsOf(ofView, { page: 1, size: 100 }, grant);
          const total = TOTALS[(place + SEED) % TOTALS.length];
          const list = { model: 'orders', sort: [{ attribute: path, ...order }, ...others], total };
          // The second time the total is known, and pages are read from the nearer end.
          for (const pages of [PAGES, PAGES.toReversed()]) {
            const read = await Promise.all(
              pages.map((page) => idsOf(list, { page, size: SIZE }, grant)),
            );
            const inOrder = pages === PAGES ? read : read.toReversed();
            expect(inOrder.flat()).toEqual(expected);
          }
        }
      });
    });

    it('have the pages of rows that a filter leaves', async () => {
      const filter = { attribute: 'customer.level', op: 'lt', value: 3 };
      const inView = { attribute: 'customer_level', op: 'lt', value: 3 };
      for (const order of eachNth(2, ORDERS)) {
        const list = { model: 'orders', sort: [{ attribute: 'customer.name', ...order }], filter };
        const sort = [{ attribute: 'customer_name', ...order }];
        const expected = await idsOf(
          { model: 'orders_all', sort, filter: inView },
          { page: 1, size: 100 },
          EVERYTHING,
        );
        const read = await Promise.all(
          PAGES.map((page) => idsOf(list, { page, size: SIZE }, EVERYTHING)),
        );
        expect(read.flat()).toEqual(expected);
      }
    });
  },
);

const MANY = 4000;

/** Half of the customers have a name that others have too, and every ninth order has no customer. */
function manyOrders(): string[] {
  const customers = Array.from({ length: 300 }, (_, id) => {
    const name = id % 11 === 0 ? 'null' : `'name ${id % 150}'`;
    return `(${id}, ${name})`;
  });
  const orders = Array.from({ length: MANY }, (_, id) => {
    const customer = id % 9 === 0 ? 'null' : String((id * 7) % 300);
    return `(${id}, ${customer})`;
  });
  return [
    'create table customers (id int not null primary key, name varchar(20))',
    `create table orders (
      id int not null primary key, customer_id int, foreign key (customer_id) references customers (id)
    )`,
    'create index orders_customer on orders (customer_id)',
    'create index named on customers (name)',
    `insert into customers values ${customers.join(', ')}`,
    `insert into orders values ${orders.join(', ')}`,
  ];
}

describe.each(FIXTURES.filter(({ family }) => family !== 'MariaDB'))(
  'page indexes of a related order on $name',
  (fixture) => {
    let quick: Engine;
    let plain: Engine;

    beforeAll(async () => {
      const database = await fixture.create();
      await database.execute(manyOrders());
      const { url } = database;
      quick = await open(url, { acceleration: { pageIndexMinOffset: 100, replyCache: false } });
      plain = await open(url, {
        acceleration: { pageIndex: false, totalCache: false, readBackwards: false },
      });
    });

    it.each(eachNth(2, ORDERS))(
      'lead to the pages without one: $direction, nulls $nulls',
      async (order) => {
        const sort = [{ attribute: 'customer.name', ...order }];
        const askAll = async (engine: Engine, size: number): Promise<unknown[]> => {
          const records: unknown[] = [];
          for (let page = 1; page <= Math.ceil(MANY / size); page++) {
            const body = {
              query_model: 'orders',
              query_attributes: ['id', 'customer.name'],
              query_sort: sort,
              page: { page, size },
            };
            records.push(
              ...(JSON.parse((await engine.query(body, EVERYTHING)).result) as object[]),
            );
          }
          return records;
        };
        // What the server writes by itself, such as by autovacuum, makes an index outdated.
        await expect
          .poll(async () => (await deepPagesOf(quick, { model: 'orders', sort })).built)
          .toBe(1);
        const before = hitsOf(quick);
        expect(await askAll(quick, 97)).toEqual(await askAll(plain, 1000));
        expect(hitsOf(quick)).toBeGreaterThan(before);
      },
    );
  },
);

/** How often a page index was of use. */
function hitsOf(engine: Engine): number {
  const found = engine.statistics().find(({ mechanism }) => mechanism === 'page_index');
  return found?.hits ?? 0;
}
