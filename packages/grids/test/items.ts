import type { DynamicQueryClient } from '@proj/client';
import { MappingError } from '@proj/grids';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';

import { clientOfApp } from './client-of-app.ts';
import { type ItemDatabaseKind, SQLITE } from './item-databases.ts';
import { CODES, NAMES } from './item-values.ts';
import { writeItems } from './write-items.ts';

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

/** The service of the tests. */
export interface Items {
  readonly client: DynamicQueryClient;
  /** Every record, by its key. */
  readonly items: readonly Item[];
  /** Runs a statement in the database. */
  readonly write: (sql: string) => Promise<unknown>;
  /** Compares by a column: NULL is the smallest, and texts follow the collation of the column. */
  readonly compare: (one: Item, other: Item, column: keyof Item) => number;
  /** The items in the order of some columns, with the key last. */
  readonly sorted: (items: readonly Item[], terms: readonly Term[]) => Item[];
}

/** Each part leads to its item. */
const MODELS = {
  parts: {
    relations: {
      whole: { attributes: ['item'], model: 'items', key: ['id'], inverse: 'parts' },
    },
  },
} as const;

/**
 * The service's app over `items`, and over `parts`, whose key has two attributes. The clock is one
 * of another zone than UTC.
 */
export function serveItems(kind: ItemDatabaseKind = SQLITE): () => Items {
  let ready: Items | undefined;
  const zone = process.env['TZ'];
  beforeAll(async () => {
    process.env['TZ'] = 'America/New_York';
    const { url, run } = await kind.create();
    await writeItems(run, kind);
    const client = await clientOfApp({ database: url, kinds: [kind.engine], models: MODELS });
    ready = { client, write: run, ...(await readItems(client)) };
  });
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  return () => {
    if (ready === undefined) throw new Error('The service is not there yet: ask within a test.');
    return ready;
  };
}

async function readItems(client: DynamicQueryClient): Promise<Omit<Items, 'client' | 'write'>> {
  const attributes = ['id', 'name', 'code', 'amount', 'price', 'active', 'day', 'at'];
  const { records } = await client.all({ model: 'items', attributes, size: 1000 });
  const places = { name: await placesOf(client, 'name'), code: await placesOf(client, 'code') };
  const compare = (one: Item, other: Item, column: keyof Item): number => {
    const [first, second] = [one[column], other[column]];
    if (column === 'name' || column === 'code')
      return compareValues(
        first === null ? null : places[column].get(String(first)),
        second === null ? null : places[column].get(String(second)),
      );
    return column === 'id' || column === 'amount'
      ? compareValues(numberOf(first), numberOf(second))
      : compareValues(first, second);
  };
  return {
    compare,
    items: records as unknown as Item[],
    sorted: (items, terms) =>
      items.toSorted((one, other) => {
        for (const { column, descending } of terms) {
          const order = compare(one, other, column);
          if (order !== 0) return descending ? -order : order;
        }
        return Number(one.id) - Number(other.id);
      }),
  };
}

/** Of each text of a column, how many records its collation puts before it. */
async function placesOf(
  client: DynamicQueryClient,
  attribute: 'name' | 'code',
): Promise<Map<string, number | null>> {
  const texts = attribute === 'name' ? NAMES : CODES;
  const places = texts.map(async (value): Promise<[string, number | null]> => {
    const filter = { attribute, op: 'lt', value } as const;
    const { totalNumber } = await client.query({
      model: 'items',
      attributes: ['id'],
      filter,
      page: 1,
      size: 1,
    });
    return [value, totalNumber];
  });
  return new Map(await Promise.all(places));
}

/** Compares as grids order: NULL is the smallest; texts by their bytes. */
export function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) < Number(other) ? -1 : 1;
}

/** One term of an order. */
export interface Term {
  readonly column: keyof Item;
  readonly descending: boolean;
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

/** How many models of a grid are tried; others with each commit. */
const RUNS = beforeRelease ? 500 : 60;

/** What fast-check tries, and prints when a case fails. */
export const CASES = { numRuns: RUNS, seed: SEED } as const;

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

  /** Whether both occurred, as they have to; a few cases may all be answered. */
  get areBoth(): boolean {
    return this.#answered > RUNS / 4 && (this.#refused > 0 || !beforeRelease);
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
