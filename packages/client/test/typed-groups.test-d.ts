// The compiler is the test: each line below a directive must be an error, and each expectation must
// hold.
import { createClient, type relations, type wireTypes } from '@proj/client';
import { expectTypeOf } from 'vitest';

/** As `dq types` writes it. */
interface Models {
  countries: {
    name: string;
    readonly [wireTypes]?: { name: 'text' };
  };
  orders: {
    id: bigint;
    amount: string;
    pieces: number | null;
    placed_at: string;
    readonly [wireTypes]?: {
      id: 'int64';
      amount: 'decimal';
      pieces: 'int32';
      placed_at: 'timestamp_tz';
    };
    readonly [relations]?: { country: 'countries' };
  };
}

const client = createClient<Models>({
  baseUrl: 'https://data.example.com',
  token: 't',
  int64: 'bigint',
});

const sales = client.groups({
  model: 'orders',
  by: ['country.name', { attribute: 'placed_at', by: 'month' }],
  aggregates: {
    orders: { op: 'count' },
    revenue: { op: 'sum', attribute: 'amount' },
    most: { op: 'max', attribute: 'pieces' },
    last: { op: 'max', attribute: 'country.name' },
  },
  filter: { attribute: 'amount', op: 'gt', value: '1' },
  groupFilter: { attribute: 'revenue', op: 'gt', value: '100' },
  sort: [{ attribute: 'revenue', direction: 'desc' }, { attribute: 'placed_at.month' }],
});
expectTypeOf(sales.records()).toEqualTypeOf<
  AsyncIterable<{
    readonly 'country.name': string | null;
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
