// The compiler is the test: no wrong call compiles, wherever a name, a path, an operator or a value
// stands, and every right one does. The release suite compiles it with each TypeScript we promise.
import {
  createClient,
  type inverses,
  type QueryFilter,
  type relations,
  type Sort,
  type wireTypes,
} from '@proj/client';

/** As `dq types --int64 bigint` writes it. */
interface Models {
  regions: {
    id: bigint;
    name: string;
    readonly [wireTypes]?: { id: 'int64'; name: 'text' };
  };
  countries: {
    code: string;
    area: number;
    readonly [wireTypes]?: { code: 'text'; area: 'float64' };
    readonly [relations]?: { region: 'regions' };
  };
  customers: {
    id: bigint;
    name: string;
    since: string;
    meta: unknown;
    readonly [wireTypes]?: { id: 'int64'; name: 'text'; since: 'timestamp_tz'; meta: 'json' };
    readonly [relations]?: { country: 'countries' | null; manager: 'customers' | null };
    readonly [inverses]?: { orders: 'orders' };
  };
  orders: {
    id: bigint;
    amount: string;
    pieces: number;
    paid: boolean;
    day: string;
    state: string;
    photo: string;
    tags: (string | null)[];
    readonly [wireTypes]?: {
      id: 'int64';
      amount: 'decimal';
      pieces: 'int32';
      paid: 'boolean';
      day: 'date';
      state: 'enum';
      photo: 'bytes';
      tags: 'array';
    };
    readonly [relations]?: { customer: 'customers' };
    readonly [inverses]?: { lines: 'lines' };
  };
  lines: {
    id: bigint;
    note: string | null;
    readonly [wireTypes]?: { id: 'int64'; note: 'text' };
    readonly [relations]?: { order: 'orders' };
  };
}

/** As `dq types` writes it. */
interface Texts {
  orders: { id: string; readonly [wireTypes]?: { id: 'int64' } };
}

const at = { baseUrl: 'https://data.example.com', token: 't' };
const client = createClient<Models>({ ...at, int64: 'bigint' });
const lines = { model: 'lines', attributes: ['id'] } as const;
const paged = { ...lines, size: 10 } as const;
const orders = { model: 'orders', attributes: ['id'], size: 10 } as const;
const grouped = { model: 'lines', by: ['order.customer.name'] } as const;
/** A filter and an order that are declared alone: of paths of three relations two are checked. */
const filter: QueryFilter<Models, 'lines'> = {
  attribute: 'order.customer.country.code',
  op: 'eq',
  value: 'FR',
};
const sort: Sort<Models, 'lines'>[] = [{ attribute: 'order.customer.country.code' }];

export const right: unknown[] = [
  createClient({ ...at, int64: 'bigint' }),
  createClient<Texts>(at),
  createClient<Texts>({ ...at, int64: 'string' }),
  client.model('lines'),
  client.query({ ...paged, page: 1 }),
  client.query({ ...paged, page: 1n, total: { upTo: 10 } }),
  client.query({ ...paged, page: 1, filter, sort }),
  client.pageOf({ ...paged, containing: { id: 1n } }),
  client.pages({ ...paged, from: 2n }),
  client.pages({ ...paged, order: 'key', after: { id: '5' } }),
  client.records({ ...paged, attributes: ['order.customer.country.code', 'order.customer.name'] }),
  client.records({
    ...paged,
    filter: { attribute: 'order.customer.country.code', op: 'contains', value: 'F' },
  }),
  client.records({
    ...paged,
    filter: { attribute: 'order.customer.country.area', op: 'between', value: [1, 2] },
  }),
  client.records({
    ...paged,
    filter: { not: { or: [{ attribute: 'order.customer.id', op: 'in', value: [1n, '2'] }] } },
  }),
  client.records({
    ...paged,
    filter: { and: [filter, { attribute: 'note', op: 'is_null', value: true }] },
  }),
  client.records({
    ...orders,
    filter: {
      related: 'lines',
      some: { attribute: 'order.customer.country.area', op: 'gt', value: 1 },
    },
  }),
  client.records({ ...orders, filter: { related: 'lines', none: {} } }),
  client.records({ ...orders, filter: { attribute: 'paid', op: 'eq', value: true } }),
  client.records({ ...orders, filter: { attribute: 'paid', op: 'in', value: [true, '2'] } }),
  client.records({
    ...paged,
    sort: [
      { attribute: 'order.customer.country.code', direction: 'desc' },
      { attribute: 'note', nulls: 'last' },
    ],
  }),
  client.all({ ...paged, filter, sort, total: 'none' }),
  client.watch({
    ...lines,
    filter: { attribute: 'order.customer.manager.name', op: 'eq', value: 'x' },
  }),
  client.export({ ...lines, filter, sort: [{ attribute: 'order.customer.manager.since' }] }),
  client.exportFile({ ...lines, filter }, { format: 'csv' }),
  client.facets({
    model: 'lines',
    facets: [{ attribute: 'order.customer.country.code', values: 3 }],
  }),
  client.facets({
    model: 'lines',
    filter,
    facets: [
      {
        attribute: 'order.customer.country.area',
        bins: 3,
        filter: { attribute: 'note', op: 'eq', value: 'x' },
      },
    ],
  }),
  client.facets({
    model: 'orders',
    facets: [
      { attribute: 'tags', values: 3 },
      { attribute: 'day', bins: 3 },
    ],
  }),
  client.groups({
    ...grouped,
    by: ['order.customer.country.code', { attribute: 'order.customer.manager.since', by: 'hour' }],
  }),
  client.groups({
    ...grouped,
    aggregates: {
      most: { op: 'max', attribute: 'order.customer.country.area' },
      all: { op: 'count', attribute: 'order.customer.meta' },
    },
    groupFilter: { attribute: 'most', op: 'gt', value: 1 },
  }),
  client.groups({ ...grouped, filter, sort: [{ attribute: 'order.customer.name' }] }),
  client.groups({
    ...grouped,
    aggregates: { n: { op: 'count' } },
    groupFilter: {
      and: [
        { attribute: 'n', op: 'gte', value: 2n },
        { attribute: 'order.customer.name', op: 'starts_with', value: 'A' },
      ],
    },
    sort: [{ attribute: 'n' }],
  }),
  client.query({ ...paged, page: 1 }).then((page) => page.at(page.pageCount)),
];

// One call a line, since a directive is about the next line only.
// oxfmt-ignore
export const wrong: unknown[] = [
  // @ts-expect-error: createClient
  createClient<Models>(at),
  // @ts-expect-error: createClient
  createClient<Models>({ ...at, int64: 'string' }),
  // @ts-expect-error: createClient
  createClient<Texts>({ ...at, int64: 'bigint' }),
  // @ts-expect-error: createClient
  createClient<Models>({ ...at, int64: 'bigint', retry: 1 }),
  // @ts-expect-error: models and attributes
  client.model('line'),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, model: 'line' }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['nope'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['nope'], filter }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order.nope'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order.customer.nope'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order.customer.bogus.x'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order.customer.country.nope'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order.customer.country.region.name'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, attributes: ['order'] }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: '1' }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, size: '10' }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, total: 'some' }),
  // @ts-expect-error: models and attributes
  client.query({ ...paged, page: 1, total: { up_to: 10 } }),
  // @ts-expect-error: models and attributes
  client.pageOf({ ...paged, containing: { nr: 1n } }),
  // @ts-expect-error: models and attributes
  client.pageOf({ ...paged, containing: { id: '1' } }),
  // @ts-expect-error: models and attributes
  client.pageOf({ ...paged, containing: { id: 1n }, total: 'none' }),
  // @ts-expect-error: models and attributes
  client.pages({ ...paged, order: 'keys' }),
  // @ts-expect-error: models and attributes
  client.pages({ ...paged, order: 'key', after: { nr: '5' } }),
  // @ts-expect-error: models and attributes
  client.pages({ ...paged, from: '2' }),
  // @ts-expect-error: models and attributes
  client.pages(paged, { onDrift: 'restart' }),
  // @ts-expect-error: models and attributes
  client.records({ ...paged, attributes: ['order.customer.manager.nope'] }),
  // @ts-expect-error: models and attributes
  client.all({ ...paged, attributes: ['order.customer.bogus.x'] }),
  // @ts-expect-error: models and attributes
  client.watch({ ...lines, attributes: ['order.customer.bogus.x'] }),
  // @ts-expect-error: models and attributes
  client.export({ ...lines, attributes: ['order.customer.bogus.x'] }),
  // @ts-expect-error: models and attributes
  client.exportFile({ ...lines, attributes: ['order.customer.bogus.x'] }, { format: 'csv' }),
  // @ts-expect-error: models and attributes
  client.exportFile(lines, { format: 'xml' }),
  // @ts-expect-error: filters: names and paths
  client.query({ ...paged, page: 1, filter: { attribute: 'nope', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.pageOf({ ...paged, containing: { id: 1n }, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.pages({ ...paged, filter: { attribute: 'order.nope', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { attribute: 'order.customer.nope', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { attribute: 'order.customer.country.nope', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { attribute: 'order.customer.country.region.name', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { attribute: 'order', op: 'eq', value: 1n } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { and: [{ attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' }] } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...paged, filter: { or: [{ attribute: 'note', op: 'eq', value: 'x' }, { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' }] } }),
  // @ts-expect-error: filters: names and paths
  client.all({ ...paged, filter: { not: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } } }),
  // @ts-expect-error: filters: names and paths
  client.watch({ ...lines, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.export({ ...lines, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.exportFile({ ...lines, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }, { format: 'csv' }),
  // @ts-expect-error: filters: names and paths
  client.facets({ model: 'lines', filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' }, facets: [{ attribute: 'note', values: 3 }] }),
  // @ts-expect-error: filters: names and paths
  client.facets({ model: 'lines', facets: [{ attribute: 'note', values: 3, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }] }),
  // @ts-expect-error: filters: names and paths
  client.groups({ ...grouped, filter: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...orders, filter: { related: 'line', some: {} } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...orders, filter: { related: 'lines', all: {} } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...orders, filter: { related: 'lines', some: { attribute: 'amount', op: 'eq', value: '1' } } }),
  // @ts-expect-error: filters: names and paths
  client.records({ ...orders, filter: { related: 'lines', none: { attribute: 'order.customer.bogus.x', op: 'eq', value: 'x' } } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'like', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'id', op: 'contains', value: '1' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'eq', value: null } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'eq', value: 5 } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'in', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'is_null', value: 'yes' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'note', op: 'eq' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'amount', op: 'between', value: ['1'] } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'paid', op: 'eq', value: 'true' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'paid', op: 'lt', value: true } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'state', op: 'gt', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'tags', op: 'eq', value: 'x' } }),
  client.records({ ...orders, filter: { attribute: 'tags', op: 'has', value: 'x' } }),
  client.records({ ...orders, filter: { attribute: 'tags', op: 'has_all', value: ['x', 1n] } }),
  client.records({ ...paged, filter: { attribute: 'order.customer.meta', op: 'has', value: { number: '1e300' } } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'tags', op: 'has_any', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.meta', op: 'has', value: null } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'day', op: 'starts_with', value: '2026' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...orders, filter: { attribute: 'customer.since', op: 'gte', value: 5 } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.meta', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.country.code', op: 'eq', value: 5 } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.country.area', op: 'contains', value: '1' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.country.area', op: 'eq', value: 'x' } }),
  // @ts-expect-error: filters: operators and values
  client.records({ ...paged, filter: { attribute: 'order.customer.manager.meta', op: 'contains', value: 'x' } }),
  // @ts-expect-error: orders
  client.query({ ...paged, page: 1, sort: [{ attribute: 'nope' }] }),
  // @ts-expect-error: orders
  client.query({ ...paged, page: 1, sort: [{ attribute: 'note', direction: 'down' }] }),
  // @ts-expect-error: orders
  client.query({ ...paged, page: 1, sort: [{ attribute: 'note', nulls: 'never' }] }),
  // @ts-expect-error: orders
  client.pages({ ...paged, sort: [{ attribute: 'order.nope' }] }),
  // @ts-expect-error: orders
  client.records({ ...paged, sort: [{ attribute: 'order.customer.nope' }] }),
  // @ts-expect-error: orders
  client.records({ ...paged, sort: [{ attribute: 'order.customer.bogus.x' }] }),
  // @ts-expect-error: orders
  client.records({ ...paged, sort: [{ attribute: 'order.customer.country.nope' }] }),
  // @ts-expect-error: orders
  client.records({ ...paged, sort: [{ attribute: 'order.customer.manager.meta' }] }),
  // @ts-expect-error: orders
  client.records({ ...paged, sort: [{ attribute: 'order.customer.meta' }] }),
  // @ts-expect-error: orders
  client.records({ ...orders, sort: [{ attribute: 'tags' }] }),
  // @ts-expect-error: orders
  client.all({ ...paged, sort: [{ attribute: 'note' }, { attribute: 'order.customer.bogus.x' }] }),
  // @ts-expect-error: orders
  client.watch({ ...lines, sort: [{ attribute: 'order.customer.bogus.x' }] }),
  // @ts-expect-error: orders
  client.export({ ...lines, sort: [{ attribute: 'order.customer.bogus.x' }] }),
  // @ts-expect-error: orders
  client.exportFile({ ...lines, sort: [{ attribute: 'order.customer.bogus.x' }] }, { format: 'csv' }),
  // @ts-expect-error: facets
  client.facets({ model: 'line', facets: [{ attribute: 'note', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'nope', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'order.nope', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'order.customer.nope', bins: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'order.customer.bogus.x', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'note', values: 3 }, { attribute: 'order.customer.country.nope', bins: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'note', bins: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'lines', facets: [{ attribute: 'order.customer.country.code', bins: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'orders', facets: [{ attribute: 'photo', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'orders', facets: [{ attribute: 'customer.meta', values: 3 }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'orders', facets: [{ attribute: 'day', values: 3, sort: 'counts' }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'orders', facets: [{ attribute: 'day', values: '3' }] }),
  // @ts-expect-error: facets
  client.facets({ model: 'orders', facets: [{ attribute: 'day' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'line', by: ['note'] }),
  // @ts-expect-error: groups
  client.groups({ model: 'lines', by: ['nope'] }),
  // @ts-expect-error: groups
  client.groups({ model: 'lines', by: ['order.customer.bogus.x'] }),
  // @ts-expect-error: groups
  client.groups({ model: 'lines', by: ['order.customer.country.nope'] }),
  // @ts-expect-error: groups
  client.groups({ model: 'orders', by: ['customer.meta'] }),
  // @ts-expect-error: groups
  client.groups({ model: 'orders', by: [{ attribute: 'day', by: 'decade' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'orders', by: [{ attribute: 'day', by: 'hour' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'orders', by: [{ attribute: 'amount', by: 'day' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'lines', by: [{ attribute: 'order.customer.bogus.x', by: 'day' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'lines', by: [{ attribute: 'order.customer.country.code', by: 'day' }] }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'median', attribute: 'id' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'count', attribute: 'order.customer.bogus.x' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'count_distinct', attribute: 'order.customer.bogus.x' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'count_distinct', attribute: 'order.customer.meta' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'max', attribute: 'order.customer.bogus.x' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'min', attribute: 'order.state' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'sum', attribute: 'note' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'sum', attribute: 'order.customer.bogus.x' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'average', attribute: 'order.customer.country.code' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { a: { op: 'max' } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, groupFilter: { attribute: 'note', op: 'eq', value: 'x' } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, groupFilter: { attribute: 'order.customer.name', op: 'eq', value: 1 } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { n: { op: 'count' } }, groupFilter: { attribute: 'n', op: 'contains', value: '1' } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { n: { op: 'count' } }, groupFilter: { not: { attribute: 'n', op: 'eq', value: true } } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { n: { op: 'count' } }, groupFilter: { attribute: 'm', op: 'eq', value: 1 } }),
  // @ts-expect-error: groups
  client.groups({ ...grouped, aggregates: { n: { op: 'count' } }, sort: [{ attribute: 'm' }] }),
  // @ts-expect-error: groups
  client.groups({ model: 'orders', by: ['tags'], sort: [{ attribute: 'tags' }] }),
  // @ts-expect-error: replies
  client.query({ ...paged, page: 1 }).then(({ records }) => records[0]?.note),
  // @ts-expect-error: replies
  client.query({ ...paged, page: 1 }).then((page) => page.at('2')),
  // @ts-expect-error: replies
  client.watch(lines, { everyMs: '1' }),
];
