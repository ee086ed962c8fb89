import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KeyOrder, type OrderedColumn } from '../src/feed/lists/key-order.ts';
import { STATEMENT_SETTINGS } from '../src/connection/session.ts';
import { connect, usePostgres } from './server.ts';

const VALUES = 1500;

/** A moment between the years 1 and 9999, at some microsecond or none. */
const MOMENT = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('', '000', '500', '123', '120', '010'),
    fc.boolean(),
  )
  .map(([date, micros, whole]) =>
    date.toISOString().replace(/\.\d+Z$/, (part) => (whole ? '' : part.slice(0, 4) + micros)),
  );

const INFINITY = fc.constantFrom('infinity', '-infinity');

/** Values that sort close to each other, and to where forms of their texts differ. */
const COLUMNS: Record<string, fc.Arbitrary<string>> = {
  smallint: fc.integer({ min: -32_768, max: 32_767 }).map(String),
  integer: fc.integer().map(String),
  bigint: fc
    .oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
      fc.integer({ min: -20, max: 20 }).map(BigInt),
    )
    .map(String),
  boolean: fc.boolean().map(String),
  uuid: fc.uuid(),
  bytea: fc.uint8Array({ maxLength: 4 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
  date: fc.oneof(
    MOMENT.map((moment) => moment.slice(0, 10)),
    INFINITY,
  ),
  'timestamp without time zone': fc.oneof(MOMENT, INFINITY),
  'timestamp(3) with time zone': MOMENT.map((moment) => `${moment}Z`),
};

/** Rows of texts in the order in which the database sorts them as columns of these types. */
async function sorted(
  url: string,
  columns: readonly OrderedColumn[],
  rows: readonly (readonly (string | null)[])[],
): Promise<(string | null)[][]> {
  const client = await connect(url);
  for (const [name, value] of STATEMENT_SETTINGS)
    await client.query(`select set_config($1, $2, false)`, [name, value]);
  const values = columns.map(
    ({ databaseType }, index) => `(r.value ->> ${index})::${databaseType} as k${index}`,
  );
  const order = columns.map(
    ({ direction, nulls = 'last' }, index) => `k${index} ${direction} nulls ${nulls}`,
  );
  const { rows: read } = await client.query<Record<string, string>>(
    `select ${columns.map((_column, index) => `k${index}::text as t${index}`).join()}
     from (
       select distinct ${values.join()}
       from jsonb_array_elements($1::jsonb) r
     ) v
     order by ${order.join()}`,
    [JSON.stringify(rows)],
  );
  return read.map((row) => columns.map((_column, index) => row[`t${index}`] ?? null));
}

describe('keys that are compared in Node', () => {
  const postgres = usePostgres('');

  it.each(Object.keys(COLUMNS))('of the type %s have the order of the database', async (type) => {
    const values = fc.sample(COLUMNS[type] ?? fc.constant(''), VALUES).map((value) => [value]);
    for (const direction of ['asc', 'desc'] as const) {
      const column = { databaseType: type, direction };
      const texts = await sorted(postgres().url, [column], values);
      const order = KeyOrder.of([column]);
      const keys = texts.map((text) => order?.read(text) ?? []);
      expect(keys.filter((key) => key.length !== 1)).toEqual([]);
      const compared = keys.slice(1).map((key, index) => order?.compare(keys[index] ?? [], key));
      expect(new Set(compared)).toEqual(new Set([-1]));
      const again = keys.toReversed().toSorted((a, b) => order?.compare(a, b) ?? 0);
      expect(again).toEqual(keys);
    }
  });

  it('of several columns have the order of the database, each in its direction, with NULL where it is wanted', async () => {
    const columns: OrderedColumn[] = [
      { databaseType: 'boolean', direction: 'desc', nulls: 'last' },
      { databaseType: 'date', direction: 'asc', nulls: 'first' },
      { databaseType: 'bigint', direction: 'desc' },
    ];
    const rows = fc.sample(
      fc.tuple(
        fc.option(fc.boolean().map(String)),
        fc.option(fc.integer({ min: 1, max: 9 }).map((day) => `2024-01-0${day}`)),
        fc.bigInt({ min: 2n ** 53n - 40n, max: 2n ** 53n + 40n }).map(String),
      ),
      VALUES,
    );
    const order = KeyOrder.of(columns);
    const keys = (await sorted(postgres().url, columns, rows)).map(
      (texts) => order?.read(texts) ?? [],
    );
    expect(keys.length).toBeGreaterThan(VALUES / 3);
    expect(keys.toReversed().toSorted((a, b) => order?.compare(a, b) ?? 0)).toEqual(keys);
  });
});
