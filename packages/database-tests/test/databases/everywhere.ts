import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, expect } from 'vitest';

import type { Fixture } from '../fixtures/fixture.ts';
import { exactPage, open } from '../open.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

/** What one asks every database for. */
export interface Request {
  readonly model: string;
  readonly attributes?: readonly string[];
  readonly filter?: unknown;
  readonly sort?: readonly unknown[];
  readonly page?: number;
  readonly size?: number;
}

/** The reply that every database gave. */
export interface CommonReply {
  /** The text of the records. */
  readonly text: string;
  readonly ids: readonly number[];
  readonly total: string;
}

/** The same tables on every database. */
export interface Everywhere {
  readonly engines: ReadonlyMap<string, Engine>;
  /** Asks every database, and expects of all the same text. */
  ask(request: Request): Promise<CommonReply>;
  /** The ids of all rows that a filter keeps, in the order of the sort. */
  ids(model: string, filter: unknown, sort?: readonly unknown[]): Promise<readonly number[]>;
}

/** Makes the tables on every database that a file is tried on. */
export function useTables(tables: readonly Table[], fixtures: readonly Fixture[]): Everywhere {
  const engines = new Map<string, Engine>();

  beforeAll(async () => {
    const opened = fixtures.map(async (fixture) => {
      const database = await fixture.create();
      for (const table of tables) await createTable(fixture, database, table);
      return [
        fixture.name,
        await open(database.url, { models: modelSettings(fixture, tables) }),
      ] as const;
    });
    for (const [name, engine] of await Promise.all(opened)) engines.set(name, engine);
  });

  async function ask(request: Request): Promise<CommonReply> {
    const replies = await Promise.all(
      [...engines].map(async ([name, engine]) => {
        const { result, page } = await engine.query(bodyOf(request), EVERYTHING);
        const { total } = exactPage(page);
        return [name, { result, page: JSON.stringify(page), total }] as const;
      }),
    );
    const [[, first] = ['', { result: '', page: '', total: '' }]] = replies;
    expect(Object.fromEntries(replies)).toEqual(
      Object.fromEntries(replies.map(([name]) => [name, first])),
    );
    return { text: first.result, ids: idsOf(first.result), total: first.total };
  }

  return {
    engines,
    ask,
    async ids(model, filter, sort) {
      const reply = await ask({ model, filter, ...(sort && { sort }), size: 1000 });
      expect(reply.total).toBe(String(reply.ids.length));
      return reply.ids;
    },
  };
}

/** The body of a query. */
export function bodyOf({
  model,
  attributes = ['id'],
  filter,
  sort,
  page = 1,
  size = 100,
}: Request): unknown {
  return {
    query_model: model,
    query_attributes: attributes,
    ...(filter !== undefined && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
    page: { page, size },
  };
}

function idsOf(text: string): number[] {
  return (JSON.parse(text) as { id?: number }[]).flatMap(({ id }) => id ?? []);
}
