// The compiler is the test: each line below a directive must be an error, and each expectation must
// hold.
import {
  createClient,
  type Facets,
  type inverses,
  type QueryFilter,
  type RecordOf,
  type relations,
  type Sort,
  type ValueFacet,
  type wireTypes,
} from '@proj/client';
import { expectTypeOf } from 'vitest';

/** As `dq types` writes it. */
interface Models {
  continents: {
    name: string;
    readonly [wireTypes]?: { name: 'text' };
  };
  countries: {
    code: string;
    name: string;
    readonly [wireTypes]?: { code: 'text'; name: 'text' };
    readonly [relations]?: { continent: 'continents' };
  };
  customers: {
    id: bigint;
    manager_id: bigint | null;
    name: string;
    meta: unknown;
    readonly [wireTypes]?: { id: 'int64'; manager_id: 'int64'; name: 'text'; meta: 'json' };
    readonly [relations]?: { country: 'countries'; manager: 'customers' | null };
    readonly [inverses]?: { orders: 'orders'; reports: 'customers' };
  };
  orders: {
    id: bigint;
    status: string;
    amount: string;
    pieces: number | null;
    placed_at: string;
    'shipped.at': string;
    readonly [wireTypes]?: {
      id: 'int64';
      status: 'text';
      amount: 'decimal';
      pieces: 'int32';
      placed_at: 'timestamp_tz';
      'shipped.at': 'date';
    };
    readonly [relations]?: { customer: 'customers' };
    readonly [inverses]?: { lines: 'lines' };
  };
  lines: {
    quantity: number;
    readonly [wireTypes]?: { quantity: 'int32' };
    readonly [relations]?: { order: 'orders' };
  };
}

const client = createClient<Models>({
  baseUrl: 'https://data.example.com',
  token: 't',
  int64: 'bigint',
});
const orders = { model: 'orders', size: 10 } as const;

// Up to three relations, and a name that has a dot itself.
const attributes = [
  'id',
  'shipped.at',
  'customer.id',
  'customer.country.name',
  'customer.country.continent.name',
] as const;
expectTypeOf(client.records({ ...orders, attributes })).toEqualTypeOf<
  AsyncIterable<{
    readonly id: bigint;
    readonly 'shipped.at': string;
    readonly 'customer.id': bigint | null;
    readonly 'customer.country.name': string | null;
    readonly 'customer.country.continent.name': string | null;
  }>
>();
expectTypeOf<RecordOf<Models, 'orders', 'customer.meta'>>().toEqualTypeOf<{
  readonly 'customer.meta': unknown;
}>();
// Records have no members of the relations.
expectTypeOf<keyof RecordOf<Models, 'orders'>>().toEqualTypeOf<
  'id' | 'status' | 'amount' | 'pieces' | 'placed_at' | 'shipped.at'
>();
void client.exportFile(
  { model: 'orders', attributes: ['customer.manager.manager.name'] },
  { format: 'csv' },
);

// @ts-expect-error -- an inverse is no relation to one record
client.records({ model: 'customers', attributes: ['orders.id'], size: 1 });

const by = (attribute: Sort<Models, 'orders'>['attribute']) => attribute;
by('customer.name');
by('customer.country.name');
by('customer.country.continent.name');

const where = (filter: QueryFilter<Models, 'orders'>) => filter;
where({ attribute: 'customer.country.name', op: 'icontains', value: 'land' });
where({ attribute: 'customer.manager_id', op: 'gt', value: 5n });
where({ attribute: 'customer.country.continent.name', op: 'eq', value: 'Asia' });

const whose = (filter: QueryFilter<Models, 'customers'>) => filter;
whose({ related: 'orders', some: { attribute: 'status', op: 'eq', value: 'open' } });
whose({ not: { related: 'orders', none: {} } });
whose({
  related: 'orders',
  none: { related: 'lines', some: { attribute: 'quantity', op: 'gt', value: 5 } },
});
// @ts-expect-error -- a text is no number
whose({ related: 'orders', some: { attribute: 'id', op: 'eq', value: true } });
// @ts-expect-error -- neither `some` nor `none`
whose({ related: 'orders' });

const facets = client.facets({
  model: 'orders',
  facets: [{ attribute: 'customer.country.name', values: 3 }],
});
expectTypeOf(facets).resolves.toEqualTypeOf<Facets<readonly [ValueFacet<string>]>>();

const sales = client.groups({
  model: 'orders',
  by: ['customer.country.name', { attribute: 'placed_at', by: 'month' }],
  aggregates: {
    orders: { op: 'count' },
    revenue: { op: 'sum', attribute: 'amount' },
    most: { op: 'max', attribute: 'pieces' },
    last: { op: 'max', attribute: 'customer.country.name' },
  },
  filter: { attribute: 'amount', op: 'gt', value: '1' },
  groupFilter: { attribute: 'revenue', op: 'gt', value: '100' },
  sort: [{ attribute: 'revenue', direction: 'desc' }, { attribute: 'placed_at.month' }],
});
expectTypeOf(sales.records()).toEqualTypeOf<
  AsyncIterable<{
    readonly 'customer.country.name': string | null;
    readonly 'placed_at.month': string | null;
    readonly orders: bigint;
    readonly revenue: string | null;
    readonly most: number | null;
    readonly last: string | null;
  }>
>();

const inZone = client.groups({
  model: 'orders',
  by: [{ attribute: 'placed_at', by: 'hour', time_zone: 'Europe/Paris' }],
  groupFilter: { attribute: 'placed_at.hour', op: 'gt', value: '2024-10-27T02:00:00+02:00' },
});
expectTypeOf(inZone.records()).toEqualTypeOf<
  AsyncIterable<{ readonly 'placed_at.hour': string | null }>
>();

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

const { facets: counted } = await client.facets({
  model: 'customers',
  related,
  filter: { attribute: 'revenue', op: 'gt', value: '9' },
  facets: [{ attribute: 'orders_count', bins: 5 }],
});
expectTypeOf(counted[0].bins[0]?.from).toEqualTypeOf<bigint | undefined>();

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
untyped.records({
  model: 'orders',
  attributes: ['customer.country.name'],
  size: 1,
  sort: [{ attribute: 'customer.name' }],
  filter: { related: 'lines', none: { attribute: 'order.id', op: 'eq', value: 1 } },
});
void untyped.query({ ...some, attributes: ['n'], related: visits });
