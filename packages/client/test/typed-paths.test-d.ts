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
    'shipped.at': string;
    readonly [wireTypes]?: { id: 'int64'; status: 'text'; 'shipped.at': 'date' };
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
expectTypeOf<keyof RecordOf<Models, 'orders'>>().toEqualTypeOf<'id' | 'status' | 'shipped.at'>();
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
// @ts-expect-error -- one of the two
whose({ related: 'orders' });

const facets = client.facets({
  model: 'orders',
  facets: [{ attribute: 'customer.country.name', values: 3 }],
});
expectTypeOf(facets).resolves.toEqualTypeOf<Facets<readonly [ValueFacet<string>]>>();

const untyped = createClient({ baseUrl: 'https://data.example.com', token: 't' });
untyped.records({
  model: 'orders',
  attributes: ['customer.country.name'],
  size: 1,
  sort: [{ attribute: 'customer.name' }],
  filter: { related: 'lines', none: { attribute: 'order.id', op: 'eq', value: 1 } },
});
