import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { createClient, type DynamicQueryClient } from '@proj/client';
import { MappingError } from '@proj/grids';
import type { RunningService } from '@proj/test-servers';
import * as fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';

import { startService, TOKEN } from '../support/service.ts';
import { makeFolder } from '../support/temporary-folder.ts';

/** A record of the model `items`, as it travels. */
export interface Item {
  readonly id: string;
  readonly name: string | null;
  readonly code: string;
  readonly amount: string | null;
  readonly price: number | null;
  readonly active: boolean | null;
  readonly day: string | null;
  readonly at: string | null;
}

/** Texts that hold one another, in several letter cases, and what patterns would read otherwise. */
export const NAMES = [
  'Zug',
  'zug',
  'ZUGER',
  'a%b',
  'a_b',
  'axb',
  'A',
  '',
  '12',
  '1',
  "o'x",
  '日本',
];
export const CODES = ['1', '12', '123', '2', '007'];
export const AMOUNTS = [-2, -1, 0, 1, 2, 3];
export const PRICES = [-1.5, 0, 0.5, 1, 2.25];
export const DAYS = ['2026-01-31', '2026-02-01', '2026-03-08', '2026-03-09'];
/** The clocks of the tests' zone are put forward on 8 March. */
export const TIMES = [
  '2026-01-31 23:59:59',
  '2026-02-01 00:00:00',
  '2026-02-01 10:30:00',
  '2026-02-01 10:30:59',
  '2026-03-08 12:00:00',
];

const COUNT = 60;

/** The service of the tests. */
export interface Items {
  readonly client: DynamicQueryClient;
  /** Every record, by its key. */
  readonly items: readonly Item[];
  /** Runs a statement in the database. */
  readonly write: (sql: string) => void;
}

/**
 * A service over `items`, and over `parts`, whose key has two attributes. The clock is one of
 * another zone than UTC.
 */
export function serveItems(): () => Items {
  let [folder, service, ready]: [string?, RunningService?, Items?] = [];
  const zone = process.env['TZ'];
  beforeAll(async () => {
    process.env['TZ'] = 'America/New_York';
    folder = await makeFolder();
    const path = join(folder, 'items.db');
    writeItems(path);
    service = await startService({ database: `sqlite:${path}` });
    const client = createClient({ baseUrl: service.origin, token: TOKEN });
    const attributes = ['id', 'name', 'code', 'amount', 'price', 'active', 'day', 'at'];
    const { records } = await client.all({ model: 'items', attributes, size: 1000 });
    ready = { client, items: records as unknown as Item[], write: (sql) => write(path, sql) };
  });
  afterAll(async () => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    await service?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
  return () => {
    if (ready === undefined) throw new Error('The service is not there yet: ask within a test.');
    return ready;
  };
}

function write(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** One of the values, or sometimes none. */
function choose<Value>(values: readonly Value[], seed: number): Value | null {
  return seed % 7 === 3 ? null : (values[seed % values.length] ?? null);
}

function writeItems(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`create table items (id integer primary key, name text, code text not null,
      amount integer, price real, active boolean, day date, at timestamp);
    create table parts (item integer not null, side text not null, note text,
      primary key (item, side));
    create table many (id integer primary key);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1001)
      insert into many select i from n;`);
  const insert = database.prepare('insert into items values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (let id = 1; id <= COUNT; id++) {
    const values = [
      [id, choose(NAMES, id), CODES[id % CODES.length] ?? '', choose(AMOUNTS, id * 5)],
      [choose(PRICES, id + 2), choose([1, 0], id * 3)],
      [choose(DAYS, id + 4), choose(TIMES, id * 2 + 1)],
    ];
    insert.run(...values.flat());
  }
  const part = database.prepare('insert into parts values (?, ?, ?)');
  for (let item = 1; item <= 40; item++)
    for (const side of ['left', 'right', '["odd"]']) part.run(item, side, `${item} ${side}`);
  database.close();
}

/** Compares as grids order: NULL is the smallest; texts by their bytes, as the service does. */
export function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) < Number(other) ? -1 : 1;
}

/** The items in the order of some columns, with the key last. */
export function sorted(
  items: readonly Item[],
  terms: readonly { readonly column: keyof Item; readonly descending: boolean }[],
): Item[] {
  return items.toSorted((one, other) => {
    for (const { column, descending } of terms) {
      const order = ['id', 'amount'].includes(column)
        ? compareValues(numberOf(one[column]), numberOf(other[column]))
        : compareValues(one[column], other[column]);
      if (order !== 0) return descending ? -order : order;
    }
    return Number(one.id) - Number(other.id);
  });
}

export function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

/** Columns by which items can be sorted, and in which direction. */
export const someTerms = fc.uniqueArray(
  fc.record({
    column: fc.constantFrom<keyof Item>('name', 'code', 'amount', 'price', 'active', 'day', 'at'),
    descending: fc.boolean(),
  }),
  { selector: ({ column }) => column, maxLength: 3 },
);

/** How many models of a grid are tried. */
export const RUNS = 500;

/** The beginning and the end of a block, rarely at multiples of its size. */
export const someBlock = fc
  .tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 1, max: 40 }))
  .map(([start, size]) => ({ start, end: start + size }));

/**
 * Counts models whose rows were as they should be, and those that were refused. Both have to occur,
 * most of them answered.
 */
export class Outcomes {
  #answered = 0;
  #refused = 0;

  async answer<Rows>(ask: () => Promise<Rows>, check: (rows: Rows) => void): Promise<void> {
    let rows: Rows;
    try {
      rows = await ask();
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      this.#refused += 1;
      return;
    }
    this.#answered += 1;
    check(rows);
  }

  /** Whether both occurred, as they have to. */
  get areBoth(): boolean {
    return this.#answered > RUNS / 2 && this.#refused > 0;
  }
}

/** What AND and OR make of several conditions. */
export function joined(passes: readonly boolean[], isOr: boolean): boolean {
  return isOr ? passes.some(Boolean) : passes.every(Boolean);
}

/** Objects with some of the members, `most` of them at most. */
export function someMembers(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  most: number,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(Object.entries(members), { maxLength: most })
    .chain((some) => fc.record(Object.fromEntries(some)));
}
