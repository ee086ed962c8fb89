// The compiler is the test: each line below a directive must be an error, and each expectation must
// hold.
import { createClient, type inverses, type relations, type wireTypes } from '@proj/client';
import { expectTypeOf } from 'vitest';

/** As `dq types` writes it. */
interface Models {
  customers: {
    id: bigint;
    name: string;
    readonly [wireTypes]?: { id: 'int64'; name: 'text' };
    readonly [inverses]?: { orders: 'orders' };
  };
  orders: {
    id: bigint;
    amount: string;
    placed_at: string;
    readonly [wireTypes]?: { id: 'int64'; amount: 'decimal'; placed_at: 'timestamp_tz' };
    readonly [relations]?: { customer: 'customers' };
  };
}

const client = createClient<Models>({
  baseUrl: 'https://data.example.com',
  token: 't',
  int64: 'bigint',
});

const related = {
  orders_count: {
    related: 'orders',
    op: 'count',
    filter: { attribute: 'amount', op: 'gt', value: '1' },
  },
  revenue: { related: 'orders', op: 'sum', attribute: 'amount' },
  last_order: { related: 'orders', op: 'max', attribute: 'placed_at' },
} as const;

const list = {
  model: 'customers',
  attributes: ['name', 'orders_count', 'revenue', 'last_order'],
  related,
  filter: { attribute: 'orders_count', op: 'gte', value: 3 },
  sort: [{ attribute: 'orders_count', direction: 'desc' }, { attribute: 'last_order' }],
  size: 10,
} as const;

interface Customer {
  readonly name: string;
  readonly orders_count: bigint;
  readonly revenue: string | null;
  readonly last_order: string | null;
}

const { records } = await client.query({ ...list, page: 1 });
expectTypeOf(records).branded.toEqualTypeOf<Customer[]>();
expectTypeOf(client.records(list)).branded.toEqualTypeOf<AsyncIterable<Customer>>();

const { size: _, ...whole } = list;
void client.export(whole);
void client.watch(whole);

const groups = client.groups({
  model: 'customers',
  by: ['orders_count'],
  aggregates: { most: { op: 'max', attribute: 'revenue' } },
  related,
});
expectTypeOf(groups.records()).branded.toEqualTypeOf<
  AsyncIterable<{ readonly orders_count: bigint | null; readonly most: string | null }>
>();

const { facets } = await client.facets({
  model: 'customers',
  related,
  filter: { attribute: 'revenue', op: 'gt', value: '9' },
  facets: [{ attribute: 'orders_count', bins: 5 }],
});
expectTypeOf(facets[0].bins[0]?.from).toEqualTypeOf<bigint | undefined>();

const some = { model: 'customers', size: 10, page: 1 } as const;

// @ts-expect-error: no such count
void client.query({ ...some, attributes: ['orders_total'], related });
const visits = { n: { related: 'visits', op: 'count' } } as const;
// @ts-expect-error: nothing refers to customers by this name
void client.query({ ...some, attributes: ['n'], related: visits });
const unknown = { n: { related: 'orders', op: 'max', attribute: 'nope' } } as const;
// @ts-expect-error: no attribute of orders
void client.query({ ...some, attributes: ['n'], related: unknown });
const sumOfDates = { n: { related: 'orders', op: 'sum', attribute: 'placed_at' } } as const;
// @ts-expect-error: dates have no sum
void client.query({ ...some, attributes: ['n'], related: sumOfDates });
const asText = { attribute: 'orders_count', op: 'contains', value: 'a' } as const;
// @ts-expect-error: counts are no texts
void client.query({ ...some, attributes: ['name'], related, filter: asText });

const untyped = createClient({ baseUrl: 'https://data.example.com', token: 't' });
void untyped.query({ ...some, attributes: ['n'], related: visits });
